select bench_accept_eight();
