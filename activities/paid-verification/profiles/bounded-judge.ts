import { Worker } from 'node:worker_threads'
import type { StructuredOutputCase, StructuredOutputJudgement } from '../../../domain/paid-verification/structured-output/judge.ts'

/** Memory of the thread. The inputs have at most 8 MiB; their texts and values take some times as much. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 }

/** What a thread made of a case. `exhausted`: the case needs more time or memory than it has. */
export type BoundedJudgement =
  | { ok: true; judgement: StructuredOutputJudgement }
  | { ok: false; kind: 'exhausted' | 'ended' | 'fault'; detail: string }

/**
 * Judges in a thread of its own, which is ended after `timeoutMs` or by the signal. The thread has no environment, and its memory is bounded.
 * Never throws.
 */
export const judgeInThread = async (judged: StructuredOutputCase, timeoutMs: number, signal: AbortSignal): Promise<BoundedJudgement> => {
  if (signal.aborted) return { ok: false, kind: 'ended', detail: 'the run was ended' }
  const { promise, resolve } = Promise.withResolvers<BoundedJudgement>()
  const thread = new Worker(new URL('./judge-thread.ts', import.meta.url), {
    workerData: judged,
    resourceLimits: RESOURCE_LIMITS,
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  const end = (): void => resolve({ ok: false, kind: 'ended', detail: 'the run was ended' })
  signal.addEventListener('abort', end)
  const timer = setTimeout(() => resolve({ ok: false, kind: 'exhausted', detail: `no judgement within ${timeoutMs} ms` }), timeoutMs)
  thread.once('message', (judgement: StructuredOutputJudgement) => resolve({ ok: true, judgement }))
  thread.once('error', (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    resolve({ ok: false, kind: isMemory ? 'exhausted' : 'fault', detail: isMemory ? 'more memory than a judgement has' : error.message })
  })
  thread.once('exit', (code) => resolve({ ok: false, kind: 'fault', detail: `the thread ended with code ${code}` }))
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    await thread.terminate()
  }
}
