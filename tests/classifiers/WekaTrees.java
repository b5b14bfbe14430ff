import java.io.*;
import java.nio.file.*;
import weka.classifiers.trees.J48;
import weka.core.*;
import weka.filters.Filter;
import weka.filters.unsupervised.attribute.Reorder;

/**
 * J48's answers for every X.arff of a folder that has X.folds (a fold number a row), X.order (feature indices) and
 * X.options. For k = 1, 2, ... the first k features in that order are kept as columns. X.out gets lines
 * "k,what,values": classes (one a row, each row when its fold is tested), sizes and leaves (one a fold), and for all
 * features shares (class probabilities row by row). X.trees gets the printed tree of each fold's training part.
 *
 *   javac -cp weka.jar WekaTrees.java
 *   java -cp weka.jar:. WekaTrees FOLDER
 */
public class WekaTrees {
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
      String options = new String(Files.readAllBytes(Paths.get(base + ".options"))).trim();
      try (PrintWriter out = new PrintWriter(base + ".out"); PrintWriter trees = new PrintWriter(base + ".trees")) {
        for (int k = 1; k <= order.length; k++) {
          Instances columns = prefix(data, order, k);
          StringBuilder sizes = new StringBuilder(), leaves = new StringBuilder();
          StringBuilder[] classes = new StringBuilder[fold.length], shares = new StringBuilder[fold.length];
          for (int f = 0; f < 3; f++) {
            Instances train = new Instances(columns, 0);
            for (int i = 0; i < fold.length; i++) if (fold[i] != f) train.add(columns.instance(i));
            J48 tree = new J48();
            tree.setOptions(Utils.splitOptions(options));
            tree.buildClassifier(train);
            sizes.append(' ').append((int) tree.measureTreeSize());
            leaves.append(' ').append((int) tree.measureNumLeaves());
            if (k == order.length) trees.print("# fold " + f + "\n" + tree);
            for (int i = 0; i < fold.length; i++) {
              if (fold[i] != f) continue;
              double[] p = tree.distributionForInstance(columns.instance(i));
              classes[i] = new StringBuilder().append(Utils.maxIndex(p));
              shares[i] = new StringBuilder();
              for (double x : p) shares[i].append(' ').append(x);
            }
          }
          out.println(k + ",classes," + String.join(" ", classes));
          out.println(k + ",sizes," + sizes.toString().trim());
          out.println(k + ",leaves," + leaves.toString().trim());
          if (k == order.length) out.println(k + ",shares," + String.join("", shares).trim());
        }
      }
    }
  }
}
