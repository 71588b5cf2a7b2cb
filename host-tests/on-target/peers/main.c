/* Counts what a prediction of CMSIS-DSP's support vector machines and of emlearn's nearest neighbours and trees executes,
 * as host-tests/on-target/src/bench does for ours: the same clock, the same samples. Prints lines
 *
 *     peer,kernel,features,vectors,bytes of the model,instructions,address of the function
 *
 * `cargo xtask bench device` builds and runs it. */

#include "dsp/svm_functions.h"
#include "eml_neighbors.h"
#include "eml_trees.h"

#define TIMER ((volatile uint32_t *)0x40000000) /* control, value, reload */
#define LARGEST_FEATURES 256
#define LARGEST_VECTORS 500
#define TREES 10
#define DEPTH 8
#define INNER ((1 << DEPTH) - 1) /* nodes of a full tree */

/* ---- the console ---- */

static uint32_t semihosting(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static uint32_t console;

static void print(const char *text)
{
    uint32_t block[3] = { console, (uint32_t)text, strlen(text) };
    semihosting(0x05, block);
}

static void print_number(uint32_t number, uint32_t base, const char *after)
{
    char digits[12];
    char *next = digits + sizeof digits;
    *--next = 0;
    do {
        *--next = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0);
    print(next);
    print(after);
}

static void report(const char *peer, uint32_t features, uint32_t vectors, uint32_t bytes, uint32_t count, const void *code)
{
    print(peer);
    print(",");
    print_number(features, 10, ",");
    print_number(vectors, 10, ",");
    print_number(bytes, 10, ",");
    print_number(count, 10, ",");
    print_number((uint32_t)code & ~1u, 16, "\n");
}

/* ---- the clock: see host-tests/on-target/src/bench/counting/clock.rs ---- */

static uint32_t floor_count;

static uint32_t executed(uint32_t before, uint32_t after)
{
    uint32_t all = ((uint64_t)(before - after) * 5 + 8) / 16;
    return all > floor_count ? all - floor_count : 0;
}

static __attribute__((noinline)) void nothing(void)
{
    __asm__ volatile("");
}

#define COUNT(call)                     \
    ({                                  \
        uint32_t before = TIMER[1];     \
        call;                           \
        executed(before, TIMER[1]);     \
    })

/* ---- the samples: see host-tests/on-target/src/bench/counting/sample.rs ---- */

static uint32_t state;

static float feature(void)
{
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) / 8388608.0f - 1.0f;
}

static float points[LARGEST_VECTORS * LARGEST_FEATURES];
static float coefficients[LARGEST_VECTORS];
static float sample[LARGEST_FEATURES];
static const int32_t classes[2] = { -1, 1 };

static void draw(uint32_t features, uint32_t vectors)
{
    state = 1;
    for (uint32_t i = 0; i < features * vectors; i++)
        points[i] = feature();
    for (uint32_t i = 0; i < vectors; i++)
        coefficients[i] = i % 2 ? -1.0f : 1.0f;
    for (uint32_t i = 0; i < features; i++)
        sample[i] = feature();
}

/* ---- the peers ---- */

static void cmsis(uint32_t features, uint32_t vectors)
{
    uint32_t bytes = 4 * vectors * (features + 1);
    volatile int32_t label;
    int32_t result;
    draw(features, vectors);
    float gamma = 1.0f / (float)features;

    arm_svm_linear_instance_f32 linear;
    arm_svm_linear_init_f32(&linear, vectors, features, 0.0f, coefficients, points, classes);
    uint32_t count = COUNT(arm_svm_linear_predict_f32(&linear, sample, &result));
    label = result;
    report("cmsis-dsp,linear", features, vectors, sizeof linear + bytes, count, arm_svm_linear_predict_f32);

    arm_svm_polynomial_instance_f32 cubic;
    arm_svm_polynomial_init_f32(&cubic, vectors, features, 0.0f, coefficients, points, classes, 3, 1.0f, gamma);
    count = COUNT(arm_svm_polynomial_predict_f32(&cubic, sample, &result));
    label = result;
    report("cmsis-dsp,polynomial", features, vectors, sizeof cubic + bytes, count, arm_svm_polynomial_predict_f32);

    arm_svm_rbf_instance_f32 gaussian;
    arm_svm_rbf_init_f32(&gaussian, vectors, features, 0.0f, coefficients, points, classes, gamma);
    count = COUNT(arm_svm_rbf_predict_f32(&gaussian, sample, &result));
    label = result;
    report("cmsis-dsp,gaussian", features, vectors, sizeof gaussian + bytes, count, arm_svm_rbf_predict_f32);
    (void)label;
}

/* By pointers that the compiler cannot see through: as in any firmware, a prediction is a call. */
static typeof(eml_neighbors_predict) *volatile predict_by_neighbours = eml_neighbors_predict;
static typeof(eml_trees_predict) *volatile predict_by_trees = eml_trees_predict;

static int16_t items[LARGEST_VECTORS * LARGEST_FEATURES];
static int16_t labels[LARGEST_VECTORS];
static int16_t question[LARGEST_FEATURES];
static EmlNeighborsDistanceItem distances[LARGEST_VECTORS];

static void quantise(uint32_t features, uint32_t vectors)
{
    draw(features, vectors);
    for (uint32_t i = 0; i < features * vectors; i++)
        items[i] = (int16_t)(points[i] * 1000.0f);
    for (uint32_t i = 0; i < vectors; i++)
        labels[i] = i % 2;
    for (uint32_t i = 0; i < features; i++)
        question[i] = (int16_t)(sample[i] * 1000.0f);
}

static void neighbours(uint32_t features, uint32_t vectors)
{
    quantise(features, vectors);
    EmlNeighborsModel model = { features, vectors, vectors, items, labels, 5 };
    volatile int16_t label = 0;
    int16_t result = 0;
    uint32_t count = COUNT(predict_by_neighbours(&model, question, features, distances, vectors, &result));
    label = result;
    (void)label;
    uint32_t bytes = sizeof model + vectors * (2 * features + 2 + sizeof distances[0]);
    report("emlearn,neighbours", features, vectors, bytes, count, eml_neighbors_predict);
}

static EmlTreesNode nodes[TREES * INNER];
static int32_t roots[TREES];
static uint8_t leaves[2] = { 0, 1 };

/* Full trees, their nodes in order of level; children are relative to their parents. */
static void trees(uint32_t features)
{
    quantise(features, 20);
    for (int tree = 0; tree < TREES; tree++) {
        roots[tree] = tree * INNER;
        for (int i = 0; i < INNER; i++) {
            EmlTreesNode *node = &nodes[roots[tree] + i];
            int last = 2 * i + 1 >= INNER;
            node->feature = (int8_t)((i + tree) % (int)features);
            node->value = (int16_t)(feature() * 1000.0f);
            node->left = last ? -1 : i + 1;
            node->right = last ? -2 : i + 2;
        }
    }
    EmlTrees model = { TREES * INNER, nodes, TREES, roots, 2, leaves, 0, features, 2 };
    volatile int32_t label = 0;
    int32_t result = 0;
    uint32_t count = COUNT(result = predict_by_trees(&model, question, features));
    label = result;
    (void)label;
    report("emlearn,trees", features, TREES, sizeof model + sizeof nodes + sizeof roots + sizeof leaves, count, eml_trees_predict);
}

static __attribute__((noinline)) void run(void)
{
    const uint32_t name[3] = { (uint32_t)":tt", 4, 3 };
    console = semihosting(0x01, name);
    TIMER[2] = TIMER[1] = 0xFFFFFFFF;
    TIMER[0] = 1;
    floor_count = COUNT(nothing());
    static const uint32_t features[] = { 4, 16, 64, 256 };
    static const uint32_t vectors[] = { 20, 100, 500 };
    for (int f = 0; f < 4; f++) {
        for (int v = 0; v < 3; v++) {
            cmsis(features[f], vectors[v]);
            neighbours(features[f], vectors[v]);
        }
        if (features[f] <= 127) /* what the type of a feature's number holds */
            trees(features[f]);
    }
    semihosting(0x18, (const void *)0x20026);
}

void start(void)
{
#ifdef __ARM_FP
    *(volatile uint32_t *)0xE000ED88 |= 0xF << 20; /* access to the floating-point unit */
    __asm__ volatile("dsb\n isb");
#endif
    run(); /* a function of its own: it begins by saving floating-point registers */
    for (;;) {
    }
}

static void fault(void)
{
    semihosting(0x18, (const void *)0x20023);
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    (void *)0x20400000, start, fault, fault,
};
