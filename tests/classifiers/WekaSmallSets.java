import java.io.*;
import java.nio.file.*;
import weka.classifiers.Classifier;
import weka.classifiers.bayes.NaiveBayes;
import weka.classifiers.lazy.IBk;
import weka.core.*;
import weka.core.neighboursearch.LinearNNSearch;
import weka.filters.Filter;
import weka.filters.unsupervised.attribute.Reorder;

/**
 * Weka's answers for every X.arff of a folder that has X.folds (a fold number a row) and X.order (feature indices).
 * For k = 1, 2, ... the first k features in that order are kept as columns; lines "classifier,k,row,p0,p1,..." go to X.out.
 *
 *   javac -cp weka.jar WekaSmallSets.java
 *   java -cp weka.jar:. WekaSmallSets FOLDER 1,3,5,1D,3D,nb
 */
public class WekaSmallSets {
  static Classifier make(String name) throws Exception {
    if (name.equals("nb")) return new NaiveBayes();
    IBk nearest = new IBk();
    nearest.setKNN(Integer.parseInt(name.substring(0, 1)));
    if (name.endsWith("D")) {
      EuclideanDistance distance = new EuclideanDistance();
      distance.setDontNormalize(true);
      LinearNNSearch search = new LinearNNSearch();
      search.setDistanceFunction(distance);
      nearest.setNearestNeighbourSearchAlgorithm(search);
    }
    return nearest;
  }

  static Instances prefix(Instances data, String[] order, int k) throws Exception {
    StringBuilder wanted = new StringBuilder();
    for (int i = 0; i < k; i++) wanted.append(Integer.parseInt(order[i]) + 1).append(',');
    Reorder filter = new Reorder();
    filter.setAttributeIndices(wanted.append(data.classIndex() + 1).toString());
    filter.setInputFormat(data);
    Instances out = Filter.useFilter(data, filter);
    out.setClassIndex(out.numAttributes() - 1);
    return out;
  }

  public static void main(String[] arguments) throws Exception {
    for (File file : new File(arguments[0]).listFiles()) {
      if (!file.getName().endsWith(".arff")) continue;
      String base = file.getPath().substring(0, file.getPath().length() - 5);
      Instances data = new Instances(new BufferedReader(new FileReader(file)));
      data.setClassIndex(data.numAttributes() - 1);
      int[] fold = Files.readAllLines(Paths.get(base + ".folds")).stream().mapToInt(Integer::parseInt).toArray();
      String[] order = Files.readAllLines(Paths.get(base + ".order")).get(0).split(" ");
      try (PrintWriter out = new PrintWriter(base + ".out")) {
        for (int k = 1; k <= order.length; k++) {
          Instances columns = prefix(data, order, k);
          for (int f = 0; f < 4; f++) {
            Instances train = new Instances(columns, 0);
            for (int i = 0; i < fold.length; i++) if (fold[i] != f) train.add(columns.instance(i));
            for (String name : arguments[1].split(",")) {
              Classifier classifier = make(name);
              try {
                classifier.buildClassifier(train);
              } catch (WekaException refused) { // a class with a single label
                continue;
              }
              for (int i = 0; i < fold.length; i++) {
                if (fold[i] != f) continue;
                StringBuilder line = new StringBuilder(name + "," + k + "," + i);
                for (double p : classifier.distributionForInstance(columns.instance(i))) line.append(',').append(p);
                out.println(line);
              }
            }
          }
        }
      }
    }
  }
}
