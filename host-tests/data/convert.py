#!/usr/bin/env python3
"""Writes the committed sets of this directory from two package registries.

Needs the Debian package r-cran-mlbench (unpacked) and the PyPI packages rdata, scikit-learn and palmerpenguins:

    apt-get download r-cran-mlbench && dpkg-deb -x r-cran-mlbench_*.deb mlbench
    pip install rdata scikit-learn palmerpenguins
    python3 convert.py mlbench/usr/lib/R/site-library/mlbench/data

Rows keep the package's order, values are raw, zeros are left out, labels are -1 and +1, or classes from 0. Files above
LIMIT bytes are written gzipped without a time stamp, so the same input always unpacks to the same text.
"""

import argparse
import gzip
import math
import warnings
from pathlib import Path

import rdata
from palmerpenguins import load_penguins
from sklearn.datasets import load_breast_cancer, load_digits

LIMIT = 100_000
VOTES = {"y": 1.0, "n": -1.0}  # a missing vote is 0, halfway


def frame(directory, name):
    """The data frame NAME of mlbench; factors arrive as pandas categories."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the files do not state their encoding; it is ASCII
        return rdata.read_rda(directory / f"{name}.rda")[name]


def numbers(columns):
    """Rows of floats; factors whose levels are digits are read by level, missing values become nan."""
    return [[float(value) for value in row] for row in columns.astype(object).itertuples(index=False)]


def fill_with_mean(rows):
    """Missing values get the mean of their column, rounded to five decimals, in place."""
    for column in range(len(rows[0])):
        known = [row[column] for row in rows if not math.isnan(row[column])]
        mean = round(sum(known) / len(known), 5)
        for row in rows:
            if math.isnan(row[column]):
                row[column] = mean


def labels(column, positive):
    """+1 where the class is the positive one, else -1."""
    return ["+1" if value == positive else "-1" for value in column]


def classes(column, names):
    """The position of each class in the list of names."""
    return [str(list(names).index(value)) for value in column]


def write(out, name, labels, rows):
    """One example a line: label, then index:value with 1-based indices, zeros left out."""
    lines = []
    for label, row in zip(labels, rows, strict=True):
        assert all(math.isfinite(value) for value in row), f"{name}: a value is missing"
        pairs = [f"{i}:{repr(value).removesuffix('.0')}" for i, value in enumerate(row, 1) if value != 0.0]
        lines.append(" ".join([label, *pairs]) + "\n")
    text = "".join(lines).encode("ascii")
    plain, packed = out / f"{name}.libsvm", out / f"{name}.libsvm.gz"
    if len(text) > LIMIT:
        plain.unlink(missing_ok=True)
        packed.write_bytes(gzip.compress(text, 9, mtime=0))
    else:
        packed.unlink(missing_ok=True)
        plain.write_bytes(text)
    counts = ", ".join(f"{labels.count(label)} of {label}" for label in sorted(set(labels)))
    print(f"{name}: {len(rows)} rows, {len(rows[0])} features, {counts}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mlbench", type=Path, help="the directory with mlbench's .rda files")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="where to write")
    args = parser.parse_args()

    sonar = frame(args.mlbench, "Sonar")
    write(args.out, "sonar", labels(sonar["Class"], "M"), numbers(sonar.drop(columns="Class")))

    ionosphere = frame(args.mlbench, "Ionosphere")
    write(args.out, "ionosphere", labels(ionosphere["Class"], "good"), numbers(ionosphere.drop(columns="Class")))

    pima = frame(args.mlbench, "PimaIndiansDiabetes")  # the uncorrected one: zeros stand for missing values
    write(args.out, "pima", labels(pima["diabetes"], "pos"), numbers(pima.drop(columns="diabetes")))

    votes = frame(args.mlbench, "HouseVotes84")
    coded = [[VOTES.get(vote, 0.0) for vote in row] for row in votes.drop(columns="Class").itertuples(index=False)]
    write(args.out, "votes84", labels(votes["Class"], "republican"), coded)

    breast = frame(args.mlbench, "BreastCancer")
    cells = numbers(breast.drop(columns=["Id", "Class"]))
    fill_with_mean(cells)  # 16 missing "bare nuclei"
    write(args.out, "breast-cancer-wisconsin", labels(breast["Class"], "malignant"), cells)

    wdbc = load_breast_cancer()  # its target 0 is malignant, 1 benign: the other way round here
    malignant = list(wdbc.target_names).index("malignant")
    write(args.out, "wdbc", labels(wdbc.target, malignant), wdbc.data.tolist())

    digits = load_digits()
    write(args.out, "digits", classes(digits.target, range(10)), digits.data.tolist())

    penguins = load_penguins().dropna(subset=["bill_length_mm", "bill_depth_mm"])  # two birds were not measured
    species = classes(penguins["species"], ["Adelie", "Chinstrap", "Gentoo"])
    write(args.out, "penguins", species, numbers(penguins[["bill_length_mm", "bill_depth_mm"]]))


if __name__ == "__main__":
    main()
