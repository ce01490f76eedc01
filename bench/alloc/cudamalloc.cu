// CUDA's own malloc inside kernels, measured as memc bench alloc measures memc's
// allocators (tests ad and size), in the same CSV format:
//
//   nvcc -O3 -arch=native -o cudamalloc cudamalloc.cu && ./cudamalloc > cuda.csv
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

__global__ void ad(unsigned every, size_t size) {
  if ((blockIdx.x * blockDim.x + threadIdx.x) % every != 0) return;
  void *p = malloc(size);
  if (p) *(volatile char *)p = 1;
  free(p);
}

__global__ void take(void **ptrs, unsigned n, size_t size, unsigned *nulls) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  ptrs[i] = malloc(size);
  if (!ptrs[i]) atomicAdd(nulls, 1);
}

__global__ void give(void **ptrs, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) free(ptrs[i]);
}

template <class F> double ms(F run) {
  cudaDeviceSynchronize();
  auto t = std::chrono::steady_clock::now();
  run();
  cudaDeviceSynchronize();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t).count();
}

double middle(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

int main() {
  cudaDeviceProp prop;
  if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess) return 1;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)2 << 30);
  const unsigned groups = 120;
  const int reps = 5;
  void **ptrs;
  unsigned *nulls, none;
  cudaMalloc(&ptrs, 1 << 20);
  cudaMalloc(&nulls, 4);
  ad<<<groups, 256>>>(32, 16);  // the first use makes the heap
  auto row = [&](const char *test, const char *metric, size_t size, double v) {
    printf("%s,%s,cuda,size,%zu,\"%s\",%g\n", prop.name, test, size, metric, v);
    fflush(stdout);
  };
  printf("device,test,allocator,x,at,metric,value\n");
  for (size_t size = 4; size <= 128 << 10; size *= 2)
    for (unsigned every : {32u, 1u}) {
      std::vector<double> all;
      for (int r = 0; r < reps; r++) all.push_back(ms([&] { ad<<<groups, 256>>>(every, size); }));
      row("ad", every == 1 ? "ms, all lanes" : "ms, one lane", size, middle(all));
    }
  for (unsigned n : {10000u, 100000u})
    for (size_t size : {16, 64, 256, 1024, 4096, 8192}) {
      if (n * (size + 32) > ((size_t)2 << 30) / 2) continue;
      std::vector<double> takes, gives;
      cudaMemset(nulls, 0, 4);
      for (int r = 0; r < 3; r++) {
        takes.push_back(ms([&] { take<<<(n + 255) / 256, 256>>>(ptrs, n, size, nulls); }));
        gives.push_back(ms([&] { give<<<(n + 255) / 256, 256>>>(ptrs, n); }));
      }
      cudaMemcpy(&none, nulls, 4, cudaMemcpyDeviceToHost);
      if (none) fprintf(stderr, "%u of %u requests of %zu bytes found no memory\n", none, 3 * n, size);
      char metric[2][64];
      snprintf(metric[0], 64, "ms to allocate, %u threads", n);
      snprintf(metric[1], 64, "ms to free, %u threads", n);
      row("size", metric[0], size, middle(takes));
      row("size", metric[1], size, middle(gives));
    }
  return cudaGetLastError() != cudaSuccess;
}
