from fsbench.data import load


def test_reads_a_small_file(tmp_path):
    path = tmp_path / "small.arff"
    path.write_text("@RELATION r\n@attribute 'a b' real\n@attribute c { x , '?' }\n@data\n1,x\n?,'?' % end\n")
    data = load(path)
    assert (data.name, data.n_rows, data.features[0].name, data.target.labels) == ("small", 2, "a b", ("x", "?"))
    assert data.y.tolist() == [0, 1]
