/* LIBSVM over the expansion that `pocketron speed` times.
 *
 *     PROGRAM FILE EXAMPLES
 *
 * prints the scores of so many examples of the file, a line each; then answers every line "CALLS EXAMPLES" of standard
 * input with the seconds of processor time that it took to predict the first EXAMPLES examples CALLS times. How often
 * that is asked, and which answer counts, is decided in host-tests/papers/src/speed/clock.rs, for all alike.
 *
 * The file has 32 bits everywhere: numbers of features, of vectors and of examples; gamma, the coefficients, the vectors,
 * the examples. `cargo xtask bench host` compiles this together with LIBSVM's svm.cpp. */

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "svm.h"

using Nodes = std::vector<svm_node>;

template <typename Number>
static std::vector<Number> read(std::FILE *file, std::size_t count)
{
    std::vector<Number> numbers(count);
    if (std::fread(numbers.data(), sizeof(Number), count, file) != count) {
        std::fprintf(stderr, "the expansion's file is too short\n");
        std::exit(1);
    }
    return numbers;
}

/* As LIBSVM has them: numbered from one, with an end mark. */
static std::vector<Nodes> points(std::FILE *file, std::size_t count, std::size_t features)
{
    std::vector<Nodes> points;
    for (std::size_t point = 0; point < count; point++) {
        Nodes nodes;
        int index = 0;
        for (float value : read<float>(file, features))
            nodes.push_back({ ++index, value });
        nodes.push_back({ -1, 0.0 });
        points.push_back(nodes);
    }
    return points;
}

static double score(const svm_model &model, const Nodes &x)
{
    double value;
    svm_predict_values(&model, x.data(), &value);
    return value;
}

static double seconds()
{
    std::timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(int count, char **words)
{
    std::FILE *file = count == 3 ? std::fopen(words[1], "rb") : nullptr;
    if (!file) {
        std::fprintf(stderr, "give an expansion's file and a number of examples\n");
        return 1;
    }
    std::vector<std::uint32_t> sizes = read<std::uint32_t>(file, 3);
    float gamma = read<float>(file, 1)[0];
    std::vector<float> coefficients = read<float>(file, sizes[1]);
    std::vector<Nodes> vectors = points(file, sizes[1], sizes[0]);
    /* Made beforehand: what is timed is the prediction alone. */
    std::vector<Nodes> examples = points(file, sizes[2], sizes[0]);

    std::vector<double> alphas(coefficients.begin(), coefficients.end());
    std::vector<svm_node *> starts;
    for (Nodes &vector : vectors)
        starts.push_back(vector.data());
    double *row = alphas.data();
    double rho = 0.0;
    svm_model model = {};
    /* The one whose prediction is the expansion itself, without votes. */
    model.param.svm_type = EPSILON_SVR;
    model.param.kernel_type = RBF;
    model.param.gamma = gamma;
    model.nr_class = 2;
    model.l = sizes[1];
    model.SV = starts.data();
    model.sv_coef = &row;
    model.rho = &rho;

    std::size_t shown = std::strtoul(words[2], nullptr, 10);
    if (shown > examples.size()) {
        std::fprintf(stderr, "the file has %zu examples\n", examples.size());
        return 1;
    }
    for (std::size_t i = 0; i < shown; i++)
        std::printf("%.17g\n", score(model, examples[i]));
    std::fflush(stdout);

    unsigned long calls;
    std::size_t asked;
    volatile double sum = 0.0; /* so that nothing is left out */
    while (std::scanf("%lu %zu", &calls, &asked) == 2 && asked <= examples.size()) {
        double start = seconds();
        for (unsigned long call = 0; call < calls; call++)
            for (std::size_t i = 0; i < asked; i++)
                sum = sum + score(model, examples[i]);
        std::printf("%.9f\n", seconds() - start);
        std::fflush(stdout);
    }
    return 0;
}
