import { isProblem } from '../../src/problems.ts'
import type { Answer, Client } from '../../src/types.ts'
import { usageError } from '../failures.ts'

/** Contracts and token of posted jobs, lower case. */
export interface PostingPlace {
  chainId: number
  escrow: string
  account: string
  token: Answer<'getPosterOnboarding'>['token']
}

/** Contracts that the service names to everyone, before it builds a transaction for a wallet. */
export const readPlace = async (client: Client, signal: AbortSignal): Promise<PostingPlace> => {
  const { chainId, escrowCore, agentAccountCore, token } = await client.getPosterOnboarding({}, { signal })
  return { chainId, escrow: escrowCore.toLowerCase(), account: agentAccountCore.toLowerCase(), token }
}

export type PosterRow = Answer<'listPosterJobs'>['jobs'][number]

const ID = /^0x[0-9a-f]{64}$/

/** Id of a draft or of a posted job. */
export const parseId = (text: string, name: string): string => {
  const id = text.toLowerCase()
  if (!ID.test(id)) throw usageError(`${name} is an id of 0x and 64 hex digits.`, 'agent-work post list')
  return id
}

/** The row of a draft or job of the wallet; undefined where it has none. */
export const findRow = async (client: Client, id: string, signal: AbortSignal): Promise<PosterRow | undefined> => {
  for await (const row of client.paginate('listPosterJobs', { limit: 100 }, { signal }))
    if (row.jobId === id || row.draftId === id) return row
  return undefined
}

/** The draft with this id, or that of the job with this id; undefined where the wallet has none. */
export const findDraft = async (client: Client, id: string, signal: AbortSignal): Promise<Answer<'getJobDraft'> | undefined> => {
  try {
    return await client.getJobDraft({ id }, { signal })
  } catch (error) {
    if (!isProblem(error, 'external_draft_not_found')) throw error
    const row = await findRow(client, id, signal)
    return row === undefined ? undefined : client.getJobDraft({ id: row.draftId }, { signal })
  }
}
