# OpenStack Swift in one folder, for tests: makes its rings and runs its four servers, each a process of its own that ends
# with this one. They are forked from here, so that what all of them need is loaded once. Arguments: the folder, which
# has their configurations, and the ports of account, container and object.
import ctypes
import importlib
import os
import runpy
import signal
import sys

import eventlet

# As each server does at its start, when it looks through all that is loaded by then for every lock: a second of each.
eventlet.monkey_patch(all=False, socket=True, select=True, thread=True)

base, *ports = sys.argv[1:]
rings = dict(zip(('account', 'container', 'object'), map(int, ports)))

# Swift reads its own settings from a fixed place: this points it here.
for name in ('swift.common.utils', 'swift.common.utils.config', 'swift.common.utils.base'):
    try:
        module = importlib.import_module(name)
    except ImportError:
        continue
    if hasattr(module, 'SWIFT_CONF_FILE'):
        module.SWIFT_CONF_FILE = f'{base}/swift.conf'

from swift.common.ring import RingBuilder
from swift.common.utils import validate_hash_conf

validate_hash_conf()
for name in ('account', 'container', 'obj', 'proxy'):
    importlib.import_module(f'swift.{name}.server')

PR_SET_PDEATHSIG = 1


def end_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def make_ring(name, port):
    builder = RingBuilder(4, 1, 1)
    place = {'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'd1', 'weight': 1}
    builder.add_dev({**place, 'replication_ip': '127.0.0.1', 'replication_port': port})
    builder.rebalance()
    builder.get_ring().save(f'{base}/{name}.ring.gz')


def serve(name):
    end_with_parent()
    log = os.open(f'{base}/log/{name}.log', os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(log, stream)
    sys.argv = [f'/usr/bin/swift-{name}-server', f'{base}/{name}-server.conf', '-v']
    runpy.run_path(sys.argv[0], run_name='__main__')


for name, port in rings.items():
    make_ring(name, port)
for name in (*rings, 'proxy'):
    if os.fork() == 0:
        serve(name)
        sys.exit()
for _ in range(4):
    os.wait()
