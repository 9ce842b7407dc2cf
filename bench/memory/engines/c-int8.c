// The speed of light for an exact-width int8 scan: rows of one byte a number with a scale each, one thread.
// usage: c-int8 FILE ROWS DIM < queries; each query is DIM bytes, each answer a line "nanoseconds row row …".
// FILE holds ROWS × DIM int8, then ROWS float scales. No reranking: scores are as int8 sees them.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define K 10

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#if defined(__ARM_FEATURE_DOTPROD)
#include <arm_neon.h>
// Two accumulators hide the latency of the dot instruction.
static inline int32_t dot(const int8_t *a, const int8_t *b, long dim) {
  int32x4_t s = vdupq_n_s32(0), t = vdupq_n_s32(0);
  long i = 0;
  for (; i + 32 <= dim; i += 32) {
    s = vdotq_s32(s, vld1q_s8(a + i), vld1q_s8(b + i));
    t = vdotq_s32(t, vld1q_s8(a + i + 16), vld1q_s8(b + i + 16));
  }
  int32_t sum = vaddvq_s32(vaddq_s32(s, t));
  for (; i < dim; i++) sum += (int32_t)a[i] * b[i];
  return sum;
}
#else
static inline int32_t dot(const int8_t *a, const int8_t *b, long dim) {
  int32_t sum = 0;
  for (long i = 0; i < dim; i++) sum += (int32_t)a[i] * b[i];
  return sum;
}
#endif

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  long rows = atol(argv[2]), dim = atol(argv[3]);
  int8_t *data = malloc((size_t)rows * dim);
  float *scales = malloc((size_t)rows * sizeof(float));
  int8_t *query = malloc(dim);
  FILE *file = fopen(argv[1], "rb");
  if (!data || !scales || !query || !file) return 3;
  if (fread(data, dim, rows, file) != (size_t)rows || fread(scales, sizeof(float), rows, file) != (size_t)rows) return 4;
  fclose(file);
  while (fread(query, 1, dim, stdin) == (size_t)dim) {
    float best[K];
    long ids[K], found = 0;
    int64_t start = now_ns();
    for (long r = 0; r < rows; r++) {
      float score = (float)dot(data + r * dim, query, dim) * scales[r];
      if (found == K && score <= best[K - 1]) continue;
      long at = found < K ? found++ : K - 1;
      for (; at > 0 && best[at - 1] < score; at--) best[at] = best[at - 1], ids[at] = ids[at - 1];
      best[at] = score, ids[at] = r;
    }
    printf("%lld", (long long)(now_ns() - start));
    for (long i = 0; i < found; i++) printf(" %ld", ids[i]);
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
