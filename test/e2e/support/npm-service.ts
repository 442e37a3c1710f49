// API and worker as somebody joins them to a stack that runs: by the scripts of package.json, with settings alone.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readIfThere } from '../../../local/files.ts'
import { type Child, createProcesses } from '../../../local/processes.ts'
import type { Ending } from '../../support/fleet/fleet.ts'
import { childrenOf } from '../../support/fleet/process-tree.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const READY_MS = 60_000
/** After which usual supervisors end by force what they asked to end. */
const GRACE_MS = 10_000

const sleep = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds))

/** The process at the end of a chain of shells: the service itself. */
const innermost = (pid: number): number => {
  const [child] = childrenOf(pid)
  return child === undefined ? pid : innermost(child)
}

export interface NpmServiceRequest {
  script: 'api' | 'worker'
  /** Where its log lies. */
  directory: string
  settings: Record<string, string>
  /** Whether it is of use; is given what it logged since its start. */
  isReady: (log: string) => Promise<boolean> | boolean
}

/** `npm run api` or `npm run worker`, started and asked to end as often as wanted. */
export const createNpmService = ({ script, directory, settings, isReady }: NpmServiceRequest) => {
  // Its end is looked at here, not by the keeper of the processes.
  const processes = createProcesses({ logs: directory, recordFile: join(directory, `${script}.json`) })
  let running: { npm: Child; pid: number } | undefined
  const log = (): string => readIfThere(join(directory, `${script}.log`)) ?? ''

  const now = (): { npm: Child; pid: number } => {
    if (running === undefined) throw new Error(`npm run ${script} was never started`)
    return running
  }

  const start = async (): Promise<void> => {
    const before = log().length
    const npm = await processes.start({ name: script, command: 'npm', args: ['run', script], cwd: ROOT, env: settings })
    for (const end = Date.now() + READY_MS; !(await isReady(log().slice(before))); await sleep(50))
      if (npm.hasExited() || Date.now() > end) throw new Error(`npm run ${script} is not ready:\n${log().slice(before)}`)
    running = { npm, pid: innermost(npm.pid) }
  }

  /** Asks the service itself to end; npm then ends as the service did. One that does not end in time is ended by force. */
  const stop = async (): Promise<Ending> => {
    const { npm, pid } = now()
    const began = performance.now()
    process.kill(pid, 'SIGTERM')
    const forced = setTimeout(() => process.kill(-npm.pid, 'SIGKILL'), GRACE_MS)
    const exit = await npm.exited
    clearTimeout(forced)
    return { ...exit, tookMs: performance.now() - began }
  }

  return {
    start,
    stop,
    /** Process of the service itself, behind npm. */
    pid: (): number => now().pid,
    isUp: (): boolean => running !== undefined && !running.npm.hasExited(),
    /** Ends it by force with everything that npm started. */
    close: (): void => {
      if (running !== undefined && !running.npm.hasExited()) process.kill(-running.npm.pid, 'SIGKILL')
    },
  }
}
