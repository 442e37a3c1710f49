import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Hex } from 'viem'
import { ROOT } from '../../files.ts'
import type { StackPlace } from '../place.ts'

/** Person whom the agent names where maintainers want one. */
export const PERSON = '@jane-doe'

interface AgentRun {
  key: Hex
  jobId: string
  /** Called with the id of the session once the work is submitted. */
  onSubmitted: (sessionId: string) => Promise<unknown>
}

/** Runs the example agent for one job, in a process of its own with nothing but addresses and a key. Returns the session. Throws with its last words where it fails. */
export const runAgent = async ({ base, info }: StackPlace, { key, jobId, onSubmitted }: AgentRun): Promise<string> => {
  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    BASE_URL: base,
    RPC_URL: info.rpcUrl,
    PRIVATE_KEY: key,
    RESPONSIBLE_PERSON: PERSON,
    CODEHOST_SCRIPTS: info.codehost,
    ENCYCLOPEDIA_API: `${info.sources}/wikipedia/{language}/w/api.php`,
  }
  const child = spawn(process.execPath, [`${ROOT}examples/source-agent/agent.ts`, jobId], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const ended = once(child, 'close')
    let complaint = ''
    child.stderr.on('data', (chunk) => {
      complaint = `${complaint}${chunk}`.slice(-2_000)
    })
    let sessionId: string | undefined
    for await (const line of createInterface({ input: child.stdout })) {
      const [, submitted] = /^submitted (\S+)$/.exec(line) ?? []
      if (submitted === undefined) continue
      sessionId = submitted
      await onSubmitted(submitted)
    }
    const [code] = await ended
    if (code !== 0 || sessionId === undefined) throw new Error(`the agent ended with ${code}: ${complaint}`)
    return sessionId
  } finally {
    child.kill()
  }
}
