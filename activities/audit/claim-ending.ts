import { claimOnChain } from '../../domain/audit/session-ending.ts'
import { listEscrowEvents } from './claims.ts'

/** How the chain ended a claim, in words; `open` while it has not. */
export const endOnChain = async (
  recorded: Parameters<typeof listEscrowEvents>[0],
  { chainJobId, txHash }: { chainJobId: string; txHash: string },
): Promise<string> => {
  const events = await listEscrowEvents(recorded, [chainJobId])
  const { ending, submitted } = claimOnChain(events.get(chainJobId) ?? [], txHash)
  return ending?.kind ?? (submitted ? 'open, with a submission' : 'open')
}
