import type { Client } from '../../src/types.ts'
import type { Context } from '../context.ts'
import { noSession } from '../failures.ts'

const SESSION_ID = /^.+:0x[0-9a-fA-F]{40}(:[0-9]+)?$/

/** Whether a word is the id of a session, and not of a job. */
export const isSessionId = (word: string): boolean => SESSION_ID.test(word)

/** Job of a session, by its id. */
export const jobIdOf = (sessionId: string): string => sessionId.replace(/:0x[0-9a-fA-F]{40}(:[0-9]+)?$/, '')

/** Statuses of a session that is not over. */
export const LIVE: readonly string[] = ['claimed', 'submitted', 'disputed']

/** Id of the session that the first argument names, itself or by its job: the live session of this wallet, else its newest one. */
export const findSessionId = async (client: Client, { arguments: [word = ''], signal }: Context): Promise<string> => {
  if (isSessionId(word)) return word
  const { sessions } = await client.listSessions({ jobId: word }, { signal })
  const live = sessions.find(({ status }) => LIVE.includes(status)) ?? sessions[0]
  if (live !== undefined) return live.sessionId
  throw noSession(`This wallet has no session of the job ${word}.`, `agent-work claim ${word}`)
}
