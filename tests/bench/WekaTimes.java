import java.io.*;
import java.lang.management.ManagementFactory;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import weka.attributeSelection.*;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.lazy.IBk;
import weka.classifiers.trees.J48;
import weka.core.*;
import weka.filters.Filter;
import weka.filters.unsupervised.attribute.Reorder;

/**
 * Works on request, so that its work can be timed in turn with another program's. Requests are lines:
 *
 *   data NAME FILE.arff FOLDS      FOLDS: a file with a fold number a row
 *   rank NAME RANKER               the order of all features on all rows
 *   cv NAME CLASSIFIER             right predictions over all folds
 *   fit NAME CLASSIFIER FOLD       right predictions of one fold
 *   curves NAME RANKERS FOLD       right predictions of J48, IBk and NaiveBayes at all prefixes, one fold or "all"
 *   nested NAME RANKER FOLD INNER  the same on one training part: inner folds, the part itself, and the fold's rows
 *
 * Each is answered by one line: wall seconds, CPU seconds of the working thread, CPU seconds of the process, result.
 * An uncaught error ends the program.
 */
public class WekaTimes {
  static final Map<String, Instances> DATA = new HashMap<>();
  static final Map<String, int[]> FOLDS = new HashMap<>();

  static int[] numbers(String file) throws IOException {
    return Files.readAllLines(Paths.get(file)).stream().mapToInt(Integer::parseInt).toArray();
  }

  static Instances rows(Instances data, int[] folds, int fold, boolean wanted) {
    Instances part = new Instances(data, 0);
    for (int i = 0; i < folds.length; i++) if ((folds[i] == fold) == wanted) part.add(data.instance(i));
    return part;
  }

  static int[] rank(Instances data, String ranker) throws Exception {
    ASEvaluation evaluation = ranker.equals("relieff") ? new ReliefFAttributeEval() : new InfoGainAttributeEval();
    evaluation.buildEvaluator(data);
    return new Ranker().search(evaluation, data);
  }

  static Classifier classifier(String key) {
    return key.equals("c45") ? new J48() : key.equals("1nn") ? new IBk(1) : new NaiveBayes();
  }

  static int right(String key, Instances train, Instances test) throws Exception {
    Classifier model = classifier(key);
    model.buildClassifier(train);
    int right = 0;
    for (Instance row : test) if (Utils.maxIndex(model.distributionForInstance(row)) == (int) row.classValue()) right++;
    return right;
  }

  static Instances prefix(Instances data, int[] order, int k) throws Exception {
    Reorder filter = new Reorder();
    String first = IntStream.range(0, k).mapToObj(i -> order[i] + 1 + ",").collect(Collectors.joining());
    filter.setAttributeIndices(first + (data.classIndex() + 1));
    filter.setInputFormat(data);
    Instances kept = Filter.useFilter(data, filter);
    kept.setClassIndex(kept.numAttributes() - 1);
    return kept;
  }

  static void curve(Instances train, Instances test, int[] order, long[] right) throws Exception {
    for (int k = 1; k <= order.length; k++) {
      Instances a = prefix(train, order, k), b = prefix(test, order, k);
      right[0] += right("c45", a, b);
      right[1] += right("1nn", a, b);
      right[2] += right("nb", a, b);
    }
  }

  static String work(String[] ask) throws Exception {
    Instances data = DATA.get(ask[1]);
    int[] folds = FOLDS.get(ask[1]);
    int count = Arrays.stream(folds).max().getAsInt() + 1;
    if (ask[0].equals("rank"))
      return Arrays.stream(rank(data, ask[2])).mapToObj(String::valueOf).collect(Collectors.joining(","));
    if (ask[0].equals("cv") || ask[0].equals("fit")) {
      int only = ask[0].equals("fit") ? Integer.parseInt(ask[3]) : -1, right = 0;
      for (int f = 0; f < count; f++)
        if (only < 0 || f == only) right += right(ask[2], rows(data, folds, f, false), rows(data, folds, f, true));
      return "" + right;
    }
    List<String> found = new ArrayList<>();
    for (String ranker : ask[2].split(",")) {
      long[] right = new long[3];
      for (int f = 0; f < count; f++) {
        if (!ask[3].equals("all") && f != Integer.parseInt(ask[3])) continue;
        Instances train = rows(data, folds, f, false), test = rows(data, folds, f, true);
        int[] order = rank(train, ranker);
        curve(train, test, order, right);
        if (ask[0].equals("nested")) inner(train, numbers(ask[4]), order, right);
      }
      found.add(Arrays.stream(right).mapToObj(String::valueOf).collect(Collectors.joining(",")));
    }
    return String.join(";", found);
  }

  static void inner(Instances train, int[] folds, int[] order, long[] right) throws Exception {
    for (int f = 0; f <= Arrays.stream(folds).max().getAsInt(); f++)
      curve(rows(train, folds, f, false), rows(train, folds, f, true), order, right);
    curve(train, train, order, right);
  }

  public static void main(String[] arguments) throws Exception {
    com.sun.management.OperatingSystemMXBean process =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    BufferedReader asked = new BufferedReader(new InputStreamReader(System.in));
    PrintStream answers = System.out;
    System.setOut(System.err);  // what Weka itself prints must not stand between the answers
    for (String line = asked.readLine(); line != null; line = asked.readLine()) {
      String[] ask = line.split("\t");
      if (ask[0].equals("data")) {
        Instances data = new Instances(new BufferedReader(new FileReader(ask[2])));
        data.setClassIndex(data.numAttributes() - 1);
        DATA.put(ask[1], data);
        FOLDS.put(ask[1], numbers(ask[3]));
        answers.println("0 0 0 " + data.numInstances());
      } else {
        long wall = System.nanoTime(), cpu = process.getProcessCpuTime();
        long thread = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        String found = work(ask);
        thread = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - thread;
        cpu = process.getProcessCpuTime() - cpu;
        wall = System.nanoTime() - wall;
        answers.println(wall / 1e9 + " " + thread / 1e9 + " " + cpu / 1e9 + " " + found);
      }
      answers.flush();
    }
  }
}
