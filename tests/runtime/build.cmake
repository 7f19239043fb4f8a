# Without a device, but with NVRTC, kernels are generated and compiled for this architecture.
add_test(NAME runtime.cuda_without_device COMMAND ${program} --gtest_brief=1 "--gtest_filter=CudaAbsentDevice.*")
set_tests_properties(runtime.cuda_without_device PROPERTIES LABELS runtime TIMEOUT ${SINTER_TEST_TIMEOUT} ENVIRONMENT
                     SINTER_CUDA_ARCH=sm_90)
