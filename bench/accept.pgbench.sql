select bench_accept();
