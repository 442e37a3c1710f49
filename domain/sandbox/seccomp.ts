/** Processors for which there is a filter, as Node names them. */
export type FilterArch = 'x64' | 'arm64'
export const isFilterArch = (arch: string): arch is FilterArch => arch === 'x64' || arch === 'arm64'

/** Numbers of refused calls: on x86-64, then on arm64; null where the call does not exist. */
type Numbers = readonly [x64: number, arm64: number | null]

/** Calls that reach other processes, the kernel, mounts, the clock, or memory that no bound counts. They fail with EPERM. */
const DENIED: Readonly<Record<string, Numbers>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  process_madvise: [440, 440],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  fanotify_init: [300, 262],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  syslog: [103, 116],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  settimeofday: [164, 170],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  vhangup: [153, 58],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  shmget: [29, 194],
  semget: [64, 190],
  msgget: [68, 186],
  mq_open: [240, 180],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  sched_setaffinity: [203, 122],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
}

/** Calls that programs do without when the kernel lacks them. They fail with ENOSYS. */
const ABSENT: Readonly<Record<string, Numbers>> = {
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // Its flags lie in memory, which a filter cannot read: the library then takes `clone`.
  clone3: [435, 435],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
}

const CLONE: Numbers = [56, 220]
const SOCKET: Numbers = [41, 198]
const SOCKETPAIR: Numbers = [53, 199]
const IOCTL: Numbers = [16, 29]

const AUDIT_ARCH: Readonly<Record<FilterArch, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
/** Numbers from here on are calls of the x32 form, which would pass a list of 64-bit numbers. */
const X32 = 0x4000_0000
/** New mounts, groups, names, queues, users, processes and network. */
const NAMESPACES = 0x7e02_0000
/** Unix, IPv4, IPv6, netlink. Others, such as the sockets of virtual machines, have no namespace. */
const FAMILIES = [1, 2, 10, 16]
/** TIOCSTI types into a terminal, TIOCLINUX selects and pastes in one. */
const TERMINAL_INPUT = [0x5412, 0x541c]

const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

const LOAD = 0x20
const EQUAL = 0x15
const AT_LEAST = 0x35
const ANY_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const errno = (code: number): number => 0x0005_0000 | code

/** One instruction: code, instructions to skip if true, if false, and a constant. */
type Step = readonly [code: number, ifTrue: number, ifFalse: number, constant: number]

const NUMBER_OFFSET = 0
const ARCH_OFFSET = 4
/** Low half of the first argument; both processors store it first. */
const ARGUMENT_OFFSET = (index: number): number => 16 + 8 * index

const answer = (number: number, result: number): Step[] => [
  [EQUAL, 0, 1, number],
  [RETURN, 0, 0, result],
]

/** Steps for one call that depends on an argument. What they do not answer is allowed; another call passes them. */
const inspect = (number: number, argument: number, steps: readonly Step[]): Step[] => [
  [EQUAL, 0, steps.length + 2, number],
  [LOAD, 0, 0, ARGUMENT_OFFSET(argument)],
  ...steps,
  [RETURN, 0, 0, ALLOW],
]

const familyRule = (number: number): Step[] =>
  inspect(number, 0, [
    // Each jump passes the families after it and the refusal.
    ...FAMILIES.map((family, index): Step => [EQUAL, FAMILIES.length - index, 0, family]),
    [RETURN, 0, 0, errno(EAFNOSUPPORT)],
  ])

/**
 * The filter of system calls, as bytes of a classic BPF program. Refuses calls of another processor form, calls that reach beyond the
 * sandbox, new namespaces and socket families without one. Everything else is allowed.
 */
export const seccompFilter = (arch: FilterArch): Uint8Array => {
  const pick = ([x64, arm64]: Numbers): number | null => (arch === 'x64' ? x64 : arm64)
  const listed = (table: Readonly<Record<string, Numbers>>, result: number): Step[] =>
    Object.values(table).flatMap((numbers) => {
      const number = pick(numbers)
      return number === null ? [] : answer(number, result)
    })
  const only = (numbers: Numbers, rule: (number: number) => Step[]): Step[] => {
    const number = pick(numbers)
    return number === null ? [] : rule(number)
  }
  const steps: Step[] = [
    [LOAD, 0, 0, ARCH_OFFSET],
    [EQUAL, 1, 0, AUDIT_ARCH[arch]],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER_OFFSET],
    [AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, errno(EPERM)],
    ...listed(DENIED, errno(EPERM)),
    ...listed(ABSENT, errno(ENOSYS)),
    ...only(CLONE, (number) =>
      inspect(number, 0, [
        [ANY_BIT, 0, 1, NAMESPACES],
        [RETURN, 0, 0, errno(EPERM)],
      ]),
    ),
    ...only(SOCKET, familyRule),
    ...only(SOCKETPAIR, familyRule),
    ...only(IOCTL, (number) =>
      inspect(
        number,
        1,
        TERMINAL_INPUT.flatMap((request) => answer(request, errno(EPERM))),
      ),
    ),
    [RETURN, 0, 0, ALLOW],
  ]
  const bytes = new Uint8Array(steps.length * 8)
  const view = new DataView(bytes.buffer)
  steps.forEach(([code, ifTrue, ifFalse, constant], index) => {
    view.setUint16(index * 8, code, true)
    view.setUint8(index * 8 + 2, ifTrue)
    view.setUint8(index * 8 + 3, ifFalse)
    view.setUint32(index * 8 + 4, constant >>> 0, true)
  })
  return bytes
}
