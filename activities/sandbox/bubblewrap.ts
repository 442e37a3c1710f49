import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { type Descriptors, sandboxArguments } from '../../domain/sandbox/command-line.ts'
import { type FilterArch, seccompFilter } from '../../domain/sandbox/seccomp.ts'
import type { SandboxSpec } from '../../schemas/sandbox/spec.ts'

/** Programs that a run needs. */
export interface Programs {
  readonly bwrap: string
  readonly bash: string
  /** Needed by root, which starts the sandbox as an ordinary user. */
  readonly setpriv: string | null
  readonly node: string
  /** Whether the sandbox cannot reach the program file of Node by its path. */
  readonly copiesNode: boolean
}

/** A started sandbox. */
export interface StartedSandbox {
  readonly child: ChildProcess
  readonly stdout: Readable
  readonly stderr: Readable
  /** Gives one byte when the command starts. */
  readonly began: Readable
  /** JSON documents of bubblewrap; the last one holds the exit code. */
  readonly status: Readable
}

const UNPRIVILEGED = '65534'
const FIRST_INPUT = 7
const PASSWD = 'root:x:0:0::/:/usr/sbin/nologin\nsandbox:x:1000:1000::/box/tmp:/bin/sh\n'

/**
 * Closes what the runner itself inherited, joins the groups, then becomes the sandbox. The kernel ends it before any other process when the
 * machine has no memory left. A plain shell cannot close descriptors of two digits, and this one
 * would read the files of its user when standard input is a socket.
 */
const ENTER = `set -e
last=$1; shift
for path in /proc/self/fd/*; do n=\${path##*/}; if [ "$n" -gt "$last" ]; then eval "exec $n>&-"; fi; done
while [ "$1" != -- ]; do echo 0 >"$1"; shift; done; shift
echo 1000 >/proc/self/oom_score_adj
exec "$@"`

/** The command that becomes the sandbox, from the outside in. */
const outerCommand = (programs: Programs, lastDescriptor: number, entries: readonly string[], inner: readonly string[]): string[] => {
  const isRoot = process.getuid?.() === 0
  const drop = isRoot ? [programs.setpriv ?? '', '--reuid', UNPRIVILEGED, '--regid', UNPRIVILEGED, '--clear-groups', '--'] : []
  return [
    programs.bash,
    '--noprofile',
    '--norc',
    '-c',
    ENTER,
    'sandbox',
    String(lastDescriptor),
    ...entries,
    '--',
    ...drop,
    programs.bwrap,
    ...inner,
  ]
}

const feed = (stream: unknown, bytes: Uint8Array | string): void => {
  const writable = stream as Writable
  // A sandbox that ends early does not read all of it.
  writable.on('error', () => undefined)
  writable.end(bytes)
}

const listen = (stream: unknown): Readable => {
  const readable = stream as Readable
  readable.on('error', () => undefined)
  return readable
}

/** Starts a sandbox in a process group of its own, with everything that it reads handed over as open files. Nothing is written to disk. */
export const startBubblewrap = (
  spec: SandboxSpec,
  inputs: readonly Uint8Array[],
  { programs, arch, entries }: { programs: Programs; arch: FilterArch; entries: readonly string[] },
): StartedSandbox => {
  const nodeFile = spec.closedNode || programs.copiesNode ? openSync(programs.node, 'r') : null
  try {
    const descriptors: Descriptors = {
      began: 3,
      filter: 4,
      status: 5,
      passwd: 6,
      inputs: inputs.map((_bytes, index) => FIRST_INPUT + index),
      node: nodeFile === null ? null : FIRST_INPUT + inputs.length,
    }
    const lastDescriptor = descriptors.node ?? FIRST_INPUT + inputs.length - 1
    const options = { descriptors, nodePath: programs.node, hasMemoryGroup: entries.length > 0, has: existsSync }
    const [program = '', ...args] = outerCommand(programs, lastDescriptor, entries, sandboxArguments(spec, options))
    const child = spawn(program, args, {
      stdio: [
        'pipe',
        'pipe',
        'pipe',
        'pipe',
        'pipe',
        'pipe',
        'pipe',
        ...inputs.map(() => 'pipe' as const),
        ...(nodeFile === null ? [] : [nodeFile]),
      ],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      cwd: '/',
      detached: true,
    })
    feed(child.stdio[0], spec.stdin)
    feed(child.stdio[descriptors.filter], seccompFilter(arch))
    feed(child.stdio[descriptors.passwd], PASSWD)
    for (const [index, bytes] of inputs.entries()) feed(child.stdio[FIRST_INPUT + index], bytes)
    return {
      child,
      stdout: listen(child.stdout),
      stderr: listen(child.stderr),
      began: listen(child.stdio[descriptors.began]),
      status: listen(child.stdio[descriptors.status]),
    }
  } finally {
    if (nodeFile !== null) closeSync(nodeFile)
  }
}

/** Ends a sandbox with everything in it. */
export const killSandbox = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
