// API and worker as an operator joins them to a running stack: by the scripts of package.json, with settings alone.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readIfThere } from '../../../local/files.ts'
import { type Child, createProcesses, endProcess, processIdentity } from '../../../local/processes.ts'
import { eventually } from '../../support/eventually.ts'
import type { Ending } from '../../support/fleet/fleet.ts'
import { childrenOf } from '../../support/fleet/process-tree.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Time after which a usual supervisor sends SIGKILL. */
const GRACE_MS = 10_000

/** The process at the end of a chain of shells: the service itself. */
const innermost = (pid: number): number => {
  const [child] = childrenOf(pid)
  return child === undefined ? pid : innermost(child)
}

export interface NpmServiceRequest {
  script: 'api' | 'worker'
  /** Directory of its log. */
  directory: string
  settings: Record<string, string>
  /** Whether the service is ready, by what it logged since its start. */
  isReady: (log: string) => Promise<boolean> | boolean
}

/** `npm run api` or `npm run worker`, which a test starts and stops any number of times. */
export const createNpmService = ({ script, directory, settings, isReady }: NpmServiceRequest) => {
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
    const alive = () => {
      if (npm.hasExited()) throw new Error(`npm run ${script} ended while starting:\n${log().slice(before)}`)
    }
    await eventually(`npm run ${script} is ready`, () => isReady(log().slice(before)), Boolean, alive)
    running = { npm, pid: innermost(npm.pid) }
  }

  /** Sends SIGTERM to the service itself, and SIGKILL when it does not end in time; npm ends as the service did. */
  const stop = async (): Promise<Ending> => {
    const { npm, pid } = now()
    const began = performance.now()
    await endProcess({ name: script, pid, identity: processIdentity(pid) ?? '', stopSignal: 'SIGTERM' }, GRACE_MS)
    return { ...(await npm.exited), tookMs: performance.now() - began }
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
