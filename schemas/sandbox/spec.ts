/** Bounds of one run. All of them hold for root as well. */
export interface SandboxLimits {
  /** From the first instruction of the command to the kill of everything that it started. */
  readonly wallMs: number
  /** Processor time of one process. All processes together have at most `cpus` times `wallMs`. */
  readonly cpuMs: number
  readonly cpus: number
  /** Resident memory of all processes together, files in the scratch space included. */
  readonly memoryBytes: number
  /** Processes and threads at one time. */
  readonly pids: number
  /** Scratch space: `/box`, which holds `/tmp` too. */
  readonly diskBytes: number
  readonly fileBytes: number
  /** Bytes of standard output and standard error together. The run ends at the first byte beyond. */
  readonly outputBytes: number
}

/** A file that the command can read. The runner compares its bytes with the hash before it starts. */
interface SandboxInput {
  /** Absolute path below `/in`. */
  readonly path: string
  /** 64 lower-case hex digits. */
  readonly sha256: string
}

/** A program of a stranger, and what it may use. It starts in `/box`, the only folder that it can write. */
export interface SandboxSpec {
  readonly inputs: readonly SandboxInput[]
  readonly command: readonly string[]
  /** Beside PATH, HOME, TMPDIR and LANG. */
  readonly env: Readonly<Record<string, string>>
  /** Text on standard input; empty for none. */
  readonly stdin: string
  readonly limits: SandboxLimits
  readonly network: 'none'
  /** Whether processes of `node` are closed to each other: none can read the memory, environment or open files of another one. */
  readonly closedNode: boolean
}

/**
 * How a run ended. `setup_failed` is a fault of the runner: the command did not start, or its end is unknown. `exited` has an exit code,
 * `killed` a signal, its own or that of a bound.
 */
export type SandboxOutcome = 'exited' | 'timeout' | 'output_limit' | 'out_of_memory' | 'killed' | 'setup_failed'

/** The runner that a result comes from. */
export interface SandboxEnvironment {
  readonly kind: 'bwrap' | 'oci' | 'kubernetes' | 'hosted'
  readonly version: string
  /** SHA-256 of what the command finds beside its inputs: system, tools and their versions. */
  readonly imageDigest: string
  readonly kernel: string
  /** What holds memory and processes: groups of the kernel, or limits of each process with a reader beside them. */
  readonly bounds: 'cgroup1' | 'cgroup2' | 'process'
}

export interface SandboxResult {
  readonly outcome: SandboxOutcome
  /** Null unless `exited`. A code from 129 to 192 is taken for a signal. */
  readonly exitCode: number | null
  /** Number of the signal; null unless `killed`. */
  readonly signal: number | null
  /** Why the runner failed; null unless `setup_failed`. */
  readonly reason: string | null
  readonly wallMs: number
  /** Processor time of all processes; null where no group of the kernel counts it. */
  readonly cpuMs: number | null
  /** Highest memory of all processes; null if unknown. */
  readonly peakBytes: number | null
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  /** Whether output is missing. */
  readonly truncated: boolean
  readonly environment: SandboxEnvironment
}

/** Whether a runner can be used, or why not, in a sentence. */
export type SandboxProbe = ({ readonly ok: true } & SandboxEnvironment) | { readonly ok: false; readonly reason: string }

/** Runs programs of strangers. Every implementation holds the same bounds. */
export interface Sandbox {
  readonly probe: () => Promise<SandboxProbe>
  /** Runs a command once. `contents` holds the inputs by hash. Never throws for what the command does. */
  readonly run: (spec: SandboxSpec, contents: ReadonlyMap<string, Uint8Array>, stop: AbortSignal) => Promise<SandboxResult>
}
