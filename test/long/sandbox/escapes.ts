import type { Attempt } from '../../support/sandbox/runner.ts'

/** Things of the host that an escape would reach. */
export interface Host {
  /** Port of a server on the loopback interface. */
  port: number
  /** Name of an abstract Unix socket of the host. */
  socket: string
  /** A file that every user of the host may read and write. */
  file: string
  /** Process of the same user. */
  pid: number
  /** Word that only the environment of the runner holds. */
  word: string
}

/** An attempt, and what shows that it was contained. */
export interface Escape {
  name: string
  kind: 'network' | 'files' | 'processes' | 'kernel' | 'memory' | 'disk' | 'output' | 'time'
  attempt: Attempt
  outcome: string
  exitCode?: number
  /** Matches standard output. */
  shows?: RegExp
}

const sh = (script: string): string[] => ['sh', '-c', script]
const node = (script: string): string[] => ['node', '-e', script]
/** A system call by its number, without a library in between; prints what it answers. Texts must be in variables. */
const call = (number: number, ...args: (number | string)[]): string[] => {
  const texts = args.map((arg, index) => (typeof arg === 'string' && arg.startsWith('"') ? `my $v${index} = ${arg}; ` : ''))
  const values = args.map((arg, index) => (texts[index] === '' ? arg : `$v${index}`))
  return ['perl', '-e', `${texts.join('')}my $r = syscall(${[number, ...values].join(', ')}); print $r, " ", $!+0, "\\n"`]
}
const REFUSED = /^-1 1\n$/
const ABSENT = /^-1 38\n$/
const connect = (target: string): string[] =>
  node(
    `const s = require('node:net').connect(${target}); s.on('connect', () => { console.log('ESCAPED'); s.end() }); s.on('error', (e) => console.log(e.code))`,
  )
const network = ({ port, socket }: Host): Escape[] =>
  [
    { name: 'connects to an outside address', attempt: { command: connect('{ host: "192.0.2.1", port: 80 }') }, shows: /^ENETUNREACH\n$/ },
    {
      name: 'connects to the loopback of the host',
      attempt: { command: connect(`{ host: "127.0.0.1", port: ${port} }`) },
      shows: /^ECONNREFUSED\n$/,
    },
    {
      name: 'connects to an abstract socket of the host',
      attempt: { command: connect(JSON.stringify({ path: `\0${socket}` })) },
      shows: /^ECONNREFUSED\n$/,
    },
    {
      name: 'resolves a name',
      attempt: { command: node('require("node:dns").lookup("example.com", (e) => console.log(e?.code ?? "ESCAPED"))') },
      shows: /^E[A-Z_]+\n$/,
    },
    { name: 'opens a socket to the hypervisor', attempt: { command: call(41, 40, 1, 0) }, shows: /^-1 97\n$/ },
    { name: 'opens a packet socket', attempt: { command: call(41, 17, 3, 0) }, shows: /^-1 97\n$/ },
  ].map((one) => ({ ...one, kind: 'network', outcome: 'exited' }))

const files = ({ file, word }: Host): Escape[] =>
  [
    {
      name: 'reads files of the host',
      attempt: { command: sh(`cat ${file} /etc/shadow /r*t/.bashrc /h*e/* /proc/1/root${file} 2>/dev/null; ls /`) },
      shows: /^bin\nbox\ndev\netc\n(?:in\n)?lib\n(?:lib32\n|lib64\n|libx32\n)*opt\nproc\n(?:sbin\n)?tmp\nusr\n$/,
    },
    {
      name: 'writes to the system',
      attempt: {
        command: sh(
          `for f in /x /usr/x /etc/passwd /dev/x /opt/node/bin/node /in/a; do (echo x >$f) 2>/dev/null && echo ESCAPED $f; done; echo done`,
        ),
        files: { '/in/a': 'a' },
      },
      shows: /^done\n$/,
    },
    {
      name: 'follows a link out',
      attempt: {
        command: sh(`ln -s ${file} link; ln -s /proc/1/root${file} other; cat link other 2>/dev/null; echo x >link 2>/dev/null; echo done`),
      },
      shows: /^done\n$/,
    },
    {
      name: 'links a file of the system',
      attempt: {
        command: sh('ln /usr/bin/env env 2>/dev/null && echo ESCAPED; ln /proc/self/exe exe 2>/dev/null && echo ESCAPED; echo done'),
      },
      shows: /^done\n$/,
    },
    {
      name: 'makes a program of root',
      attempt: {
        command: sh('cp /usr/bin/perl p && chmod 6755 p && ./p -e \'print "$> $)\\n"\'; su -c id </dev/null 2>/dev/null; echo done'),
      },
      shows: /^1000 1000(?: 1000)*\ndone\n$/,
    },
    {
      name: 'makes a device',
      attempt: { command: ['perl', '-e', 'my $p = "disk"; print syscall(133, $p, 060600, 0x800), "\\n"'] },
      shows: /^-1\n$/,
    },
    {
      name: 'reads the environment of the runner',
      attempt: { command: sh('cat /proc/*/environ | tr "\\0" "\\n"; env') },
      shows: new RegExp(`^(?![^]*${word})`),
    },
    { name: 'uses open files of the runner', attempt: { command: sh('ls /proc/self/fd | tr "\\n" " "') }, shows: /^0 1 2 3 $/ },
    {
      name: 'reads the memory of the kernel',
      attempt: { command: sh('cat /proc/kcore /dev/mem /dev/kmem /dev/port /proc/1/root/proc/kcore 2>/dev/null | head -c 9; echo done') },
      shows: /^done\n$/,
    },
    {
      name: 'writes a core file',
      attempt: { command: sh("ulimit -c unlimited 2>/dev/null; sh -c 'kill -ABRT $$' 2>/dev/null; ls core* 2>/dev/null; echo done") },
      shows: /^done\n$/,
    },
  ].map((one) => ({ ...one, kind: 'files', outcome: 'exited' }))

const processes = ({ pid }: Host): Escape[] =>
  [
    {
      name: 'looks at processes of the host',
      attempt: { command: sh(`ls -d /proc/[0-9]* | wc -l; cat /proc/${pid}/cmdline 2>/dev/null`) },
      outcome: 'exited',
      shows: /^[1-9]\n$/,
    },
    {
      name: 'signals a process of the host',
      attempt: { command: sh(`kill -9 ${pid} 2>/dev/null && echo ESCAPED; echo done`) },
      outcome: 'exited',
      shows: /^done\n$/,
    },
    {
      name: 'signals every process',
      attempt: { command: ['perl', '-e', '$SIG{TERM} = "IGNORE"; kill "TERM", -1; print "done\\n"'] },
      outcome: 'exited',
      shows: /^done\n$/,
    },
    {
      name: 'leaves a process in a session of its own',
      attempt: { command: sh('setsid sleep 1000 >/dev/null 2>&1 & echo done') },
      outcome: 'exited',
      shows: /^done\n$/,
    },
    {
      name: 'leaves a process that holds its output',
      attempt: { command: ['perl', '-e', 'fork and exit 0; fork and exit 0; print "left\\n"; sleep 1000'] },
      outcome: 'exited',
    },
    {
      name: 'forks without end',
      attempt: {
        command: [
          'perl',
          '-e',
          '$| = 1; my $n = 0; for (1..400) { my $p = fork; last unless defined $p; if (!$p) { sleep 60; exit } $n++ } print "$n\\n"; kill 9, -1',
        ],
      },
      outcome: 'exited',
      shows: /^(?:[1-9]|[1-4]\d)\n$/,
    },
    {
      name: 'forks in every child',
      attempt: { command: ['perl', '-e', 'while (1) { fork }'], limits: { wallMs: 1_500 } },
      outcome: 'timeout',
    },
  ].map((one) => ({ ...one, kind: 'processes' }))

const kernel = (): Escape[] =>
  [
    {
      name: 'makes a user namespace',
      attempt: {
        command: sh(
          'unshare -Urn true 2>/dev/null && echo ESCAPED; bwrap --unshare-user --ro-bind / / true 2>/dev/null && echo ESCAPED; echo done',
        ),
      },
      shows: /^done\n$/,
    },
    { name: 'clones into a user namespace', attempt: { command: call(56, '0x10000011', 0, 0, 0, 0) }, shows: REFUSED },
    { name: 'mounts', attempt: { command: call(165, '"none"', '"/box"', '"tmpfs"', 0, 0) }, shows: REFUSED },
    { name: 'changes the root', attempt: { command: call(161, '"/box"') }, shows: REFUSED },
    { name: 'traces a process', attempt: { command: call(101, 16, 1, 0, 0) }, shows: REFUSED },
    { name: 'writes a key ring', attempt: { command: call(250, 0, -3, 0) }, shows: REFUSED },
    { name: 'loads a program into the kernel', attempt: { command: call(321, 0, '"\\0" x 128', 128) }, shows: REFUSED },
    { name: 'opens a ring of requests', attempt: { command: call(425, 8, '"\\0" x 120') }, shows: ABSENT },
    { name: 'handles page faults', attempt: { command: call(323, 1) }, shows: REFUSED },
    { name: 'sets the clock', attempt: { command: call(227, 0, '"\\0" x 16') }, shows: REFUSED },
    { name: 'sets the time of day', attempt: { command: call(164, '"\\0" x 16', 0) }, shows: REFUSED },
    { name: 'opens a file by its handle', attempt: { command: call(304, 3, '"\\0" x 128', 0) }, shows: REFUSED },
    { name: 'types into a terminal', attempt: { command: call(16, 0, '0x5412', '"x"') }, shows: REFUSED },
    { name: 'takes another processor', attempt: { command: call(203, 0, 8, '"\\xff" x 8') }, shows: REFUSED },
    {
      name: 'writes settings of the kernel',
      attempt: {
        command: sh(
          'for f in kernel/hostname kernel/core_pattern vm/drop_caches; do (echo x >/proc/sys/$f) 2>/dev/null && echo ESCAPED; done; (echo b >/proc/sysrq-trigger) 2>/dev/null && echo ESCAPED; ls /sys/fs/cgroup 2>/dev/null; echo done',
        ),
      },
      shows: /^done\n$/,
    },
  ].map((one) => ({ ...one, kind: 'kernel', outcome: 'exited' }))

const amounts = (): Escape[] => [
  {
    name: 'takes memory in one process',
    kind: 'memory',
    attempt: { command: node('const a = []; for (;;) a.push(Buffer.alloc(4e6, 1))') },
    outcome: 'out_of_memory',
  },
  {
    name: 'takes memory in many processes',
    kind: 'memory',
    attempt: { command: ['perl', '-e', 'for (1..20) { fork or last } my $x = "x" x 4e7; sleep 100'] },
    outcome: 'out_of_memory',
  },
  {
    name: 'hides memory in a file without a name',
    kind: 'memory',
    attempt: { command: call(319, '"x"', 0) },
    outcome: 'exited',
    shows: ABSENT,
  },
  {
    name: 'hides memory in a shared segment',
    kind: 'memory',
    attempt: { command: call(29, 0, 1_000_000, 0o1600) },
    outcome: 'exited',
    shows: REFUSED,
  },
  {
    name: 'fills shared memory',
    kind: 'memory',
    attempt: { command: sh('head -c 100000000 /dev/zero >/dev/shm/x 2>/dev/null; stat -c %s /dev/shm/x') },
    outcome: 'exited',
    shows: /^\d{1,7}\n$/,
  },
  {
    name: 'writes a huge file',
    kind: 'disk',
    attempt: { command: sh('head -c 100000000 /dev/zero >x 2>/dev/null; stat -c %s x') },
    outcome: 'exited',
    shows: /^8388608\n$/,
  },
  {
    name: 'writes many files',
    kind: 'disk',
    attempt: { command: sh('for i in $(seq 30); do head -c 4000000 /dev/zero >f$i 2>/dev/null; done; du -sk /box | cut -f1') },
    outcome: 'exited',
    shows: /^1[0-6]\d{3}\n$/,
  },
  {
    name: 'makes a sparse file',
    kind: 'disk',
    attempt: { command: sh('truncate -s 1T x 2>/dev/null && echo ESCAPED; echo done') },
    outcome: 'exited',
    shows: /^done\n$/,
  },
  {
    name: 'makes many sparse files',
    kind: 'disk',
    attempt: { command: sh('for i in $(seq 200); do truncate -s 8M s$i || break; done; ls | wc -l; du -sk /box | cut -f1') },
    outcome: 'exited',
    shows: /^20\d\n\d{1,3}\n$/,
  },
  {
    name: 'makes files without end',
    kind: 'disk',
    attempt: { command: ['perl', '-e', 'my $n = 0; while (1) { open my $f, ">", "n$n"; $n++ }'], limits: { wallMs: 700 } },
    outcome: 'timeout',
  },
  { name: 'prints without end', kind: 'output', attempt: { command: ['yes'] }, outcome: 'output_limit' },
  { name: 'prints errors without end', kind: 'output', attempt: { command: sh('yes >&2') }, outcome: 'output_limit' },
  {
    name: 'prints terminal codes',
    kind: 'output',
    attempt: { command: sh("printf '\\033[2J\\033]0;owned\\007'") },
    outcome: 'exited',
    shows: /owned/,
  },
  { name: 'waits without end', kind: 'time', attempt: { command: ['sleep', '1000'], limits: { wallMs: 700 } }, outcome: 'timeout' },
  {
    name: 'ignores requests to end',
    kind: 'time',
    attempt: { command: sh("trap '' TERM INT HUP QUIT; while :; do sleep 1; done"), limits: { wallMs: 700 } },
    outcome: 'timeout',
  },
  {
    name: 'computes without end',
    kind: 'time',
    attempt: { command: ['perl', '-e', 'while (1) {}'], limits: { cpuMs: 1_000 } },
    outcome: 'killed',
  },
]

/** Every attempt to leave the sandbox. Numbers of system calls are those of x86-64. */
export const escapesFrom = (host: Host): Escape[] => [...network(host), ...files(host), ...processes(host), ...kernel(), ...amounts()]
