import type { Readable } from 'node:stream'
import { findProblem, toCliError } from '../output/problem.ts'
import type { Forward } from './forward.ts'
import { readLines } from './lines.ts'
import { errorLine, failureLine, type Message, type MessageId, parseMessage, RPC } from './messages.ts'

export interface BridgeDeps {
  input: Readable
  write: (line: string) => void
  forward: Forward
  signal: AbortSignal
}

/** Line of the error that a failure is for the client. */
const lineOf = (id: MessageId, error: unknown): string => {
  const problem = findProblem(error)
  if (problem === undefined) return failureLine(id, toCliError(error).problem)
  return errorLine(id, { code: RPC.failed, message: `${problem.title}: ${problem.detail}`, data: problem })
}

/** Forwards each line of the input until it ends, and waits for the answers. Rejects with the reason of the signal. */
export const runBridge = async ({ input, write, forward, signal }: BridgeDeps): Promise<void> => {
  /** Requests that have no answer yet; 1 and "1" are two ids. */
  const open = new Map<MessageId, AbortController>()
  const tasks = new Set<Promise<void>>()

  const answer = async (message: Message): Promise<void> => {
    const { id } = message
    const cancellation = new AbortController()
    if (id !== undefined) open.set(id, cancellation)
    try {
      await forward(message, AbortSignal.any([signal, cancellation.signal]))
    } catch (error) {
      if (id !== undefined && !cancellation.signal.aborted && !signal.aborted) write(lineOf(id, error))
    } finally {
      if (id !== undefined && open.get(id) === cancellation) open.delete(id)
    }
  }

  const stop = (): void => void input.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const line of readLines(input)) {
      if (line !== undefined && line.trim() === '') continue
      const message = parseMessage(line)
      if ('fault' in message) {
        write(errorLine(null, { code: message.code, message: message.fault }))
        continue
      }
      if (message.method === 'notifications/cancelled') open.get(message.params.requestId as MessageId)?.abort()
      const task = answer(message).finally(() => tasks.delete(task))
      tasks.add(task)
    }
    await Promise.all(tasks)
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
}
