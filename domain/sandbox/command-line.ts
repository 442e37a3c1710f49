import type { SandboxLimits, SandboxSpec } from '../../schemas/sandbox/spec.ts'

/** Names of a command for its scratch space. It holds the folder of temporary files, so that one bound counts both. */
const SCRATCH = '/box'
const SCRATCH_TMP = `${SCRATCH}/tmp`
const NODE = '/opt/node/bin/node'
/** Shared memory has a file system of its own, which the scratch space gives this part of its size. */
const SHARED_MEMORY_PART = 16
/** Node reserves far more addresses than it uses and does not start with fewer. */
const LEAST_ADDRESSES = 4 * 1024 ** 3
const MAX_INPUTS = 16
const ENVIRONMENT_NAME = /^[A-Z_][A-Z0-9_]*$/
const INPUT_PATH = /^\/in(?:\/[A-Za-z0-9][\w.-]*)+$/

/** Open files of the runner that the program of the sandbox reads, by their number. */
export interface Descriptors {
  readonly filter: number
  readonly status: number
  /** One for each input, in the order of the spec. */
  readonly inputs: readonly number[]
  readonly passwd: number
  /** The program file of Node, where it is copied; otherwise it is mounted from its path. */
  readonly node: number | null
  /** The command's wrapper writes one byte here before the command starts. One digit: a plain shell knows no longer number. */
  readonly began: number
}

/** What of a spec no runner accepts, in a sentence; null if it is well-formed. */
export const findSpecFault = (spec: SandboxSpec): string | null => {
  if (spec.command.length === 0 || spec.command.some((part) => part.includes('\0')))
    return 'The command is empty or holds a null character.'
  if (spec.inputs.length > MAX_INPUTS) return `There are more than ${MAX_INPUTS} inputs.`
  if (!spec.inputs.every(({ path }) => INPUT_PATH.test(path))) return 'The path of an input is not below /in.'
  if (new Set(spec.inputs.map(({ path }) => path)).size < spec.inputs.length) return 'Two inputs have one path.'
  const names = Object.entries(spec.env)
  if (names.some(([name, value]) => !ENVIRONMENT_NAME.test(name) || value.includes('\0')))
    return 'The environment holds an invalid variable.'
  const bounds = Object.entries(spec.limits).find(([, bound]) => !Number.isSafeInteger(bound) || bound < 1)
  return bounds === undefined ? null : `The limit ${bounds[0]} is not a positive integer.`
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

/** Arguments of prlimit. Addresses are bounded only where no group of the kernel bounds memory. */
const limitArguments = (limits: SandboxLimits, hasMemoryGroup: boolean): string[] => [
  `--cpu=${seconds(limits.cpuMs)}`,
  `--fsize=${limits.fileBytes}`,
  `--nproc=${limits.pids}`,
  '--nofile=1024',
  '--core=0',
  '--msgqueue=0',
  ...(hasMemoryGroup ? [] : [`--as=${Math.max(LEAST_ADDRESSES, 2 * limits.memoryBytes)}`]),
]

/** Files of the machine that a command may read. */
const systemArguments = (has: (path: string) => boolean): string[] => [
  ...['--ro-bind', '/usr', '/usr'],
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].flatMap((name) =>
    has(`/usr/${name}`) ? ['--symlink', `usr/${name}`, `/${name}`] : [],
  ),
  ...(has('/etc/alternatives') ? ['--ro-bind', '/etc/alternatives', '/etc/alternatives'] : []),
  ...['--proc', '/proc', '--dev', '/dev'],
]

export interface CommandLineOptions {
  readonly descriptors: Descriptors
  readonly nodePath: string
  readonly hasMemoryGroup: boolean
  /** Whether the machine has a path. */
  readonly has: (path: string) => boolean
}

/**
 * Arguments of bubblewrap: no network, no other processes, a read-only root, a user without rights, and no further user namespaces. Every
 * writable place has a size: scratch space and shared memory; `/dev` and `/` are read-only.
 */
export const sandboxArguments = (spec: SandboxSpec, { descriptors, nodePath, hasMemoryGroup, has }: CommandLineOptions): string[] => {
  const shared = Math.max(4096, Math.floor(spec.limits.diskBytes / SHARED_MEMORY_PART))
  const environment = { LANG: 'C.UTF-8', PATH: '/opt/node/bin:/usr/bin:/bin', ...spec.env, HOME: SCRATCH_TMP, TMPDIR: SCRATCH_TMP }
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox', '--clearenv'],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...systemArguments(has),
    ...['--size', String(shared), '--perms', '1777', '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', String(Math.max(4096, spec.limits.diskBytes - shared)), '--perms', '0755', '--tmpfs', SCRATCH],
    ...['--dir', SCRATCH_TMP, '--symlink', SCRATCH_TMP, '/tmp'],
    ...['--perms', '0444', '--file', String(descriptors.passwd), '/etc/passwd'],
    // A program file that its user cannot read makes a process that others of this user cannot read.
    ...(descriptors.node === null ? ['--ro-bind', nodePath, NODE] : ['--perms', '0111', '--file', String(descriptors.node), NODE]),
    ...spec.inputs.flatMap(({ path }, index) => ['--perms', '0444', '--file', String(descriptors.inputs[index]), path]),
    ...['--remount-ro', '/', '--chdir', SCRATCH],
    ...['--seccomp', String(descriptors.filter), '--json-status-fd', String(descriptors.status)],
    '--',
    ...['/usr/bin/prlimit', ...limitArguments(spec.limits, hasMemoryGroup), '--'],
    ...['/bin/sh', '-c', `printf b >&${descriptors.began}; exec ${descriptors.began}>&-; exec "$@"`, 'sh'],
    ...spec.command,
  ]
}
