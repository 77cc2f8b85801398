// The server's settings. They are given at every start, so that a new version of this file reaches old data.

/**
 * Durable, and modest in memory: several servers may share one machine. Each can be overridden by name; what a
 * setting means stands in PostgreSQL's documentation, chapter "Server Configuration".
 */
export const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  // A commit that was answered is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',

  listen_addresses: '',
  unix_socket_permissions: '0700',

  max_connections: '100',
  shared_buffers: '64MB',
  work_mem: '4MB',
  maintenance_work_mem: '64MB',
  io_method: 'sync',
  max_worker_processes: '4',
  max_parallel_maintenance_workers: '0',
  max_logical_replication_workers: '0',

  max_wal_size: '512MB',
  wal_compression: 'on',
  // Queue tables fill with dead rows within seconds.
  autovacuum_naptime: '10s',
  autovacuum_max_workers: '2',

  timezone: 'UTC',
  log_timezone: 'UTC',
  // Errors of statements go to their callers, who log them; here only what concerns the server as a whole. The
  // values in a message may be private.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  checkpoint_warning: '0',
}

/** Settings as `postgres` takes them on its command line. */
export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
