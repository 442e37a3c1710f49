import { partiesOf } from '../../../domain/chain/log.ts'
import { chainTopicOf } from '../../../domain/chain/topics.ts'
import type { Rows } from '../../database/database.ts'
import { emit, type NewEvent } from '../../events/outbox.ts'
import type { ChainRecorder, Concern, StoredChainEvent } from './recorder.ts'

/** Events per SQL statement. */
const CHUNK = 500

export interface AnnouncementDeps {
  chainId: number
  /** Contracts of the chain, lower case. They are not participants. */
  contracts: ReadonlySet<string>
  recorders: readonly ChainRecorder[]
  /** Service time, epoch ms. */
  now: number
}

const announcementOf = (event: StoredChainEvent, concern: Concern, { contracts, now }: AnnouncementDeps): NewEvent | null => {
  const topic = chainTopicOf(event.contract, event.event)
  if (topic === null) return null
  const { chainJobId, contract, logIndex, blockHash, args, removed } = event
  const severity = removed ? 'warn' : concern.severity
  const parties = [...partiesOf(args), ...(concern.wallet == null ? [] : [concern.wallet])]
  return {
    topic,
    wallets: [...new Set(parties)].filter((party) => !contracts.has(party)),
    ...(concern.jobId != null && { jobId: concern.jobId }),
    ...(concern.sessionId != null && { sessionId: concern.sessionId }),
    correlationId: concern.sessionId ?? concern.jobId ?? chainJobId ?? concern.correlationId ?? event.txHash,
    blockNumber: event.blockNumber,
    txHash: event.txHash,
    ...(severity !== undefined && { severity }),
    at: removed ? now : event.blockTime,
    ...(!removed && { recordedAt: now }),
    data: { chainJobId, contract, event: event.event, logIndex, blockHash, args, removed },
  }
}

const findConcerns = async (rows: Rows, events: readonly StoredChainEvent[], { chainId, recorders }: AnnouncementDeps) => {
  const concerns = new Map<StoredChainEvent, Concern>()
  for (const recorder of recorders)
    for (const [event, concern] of (await recorder.findConcerns?.(rows, events, chainId)) ?? []) concerns.set(event, concern)
  return concerns
}

/** Writes an event of the outbox for each changed chain event that has a topic. */
export const announceChainEvents = async (rows: Rows, events: readonly StoredChainEvent[], deps: AnnouncementDeps): Promise<void> => {
  const announced = events.filter(({ contract, event }) => chainTopicOf(contract, event) !== null)
  for (let from = 0; from < announced.length; from += CHUNK) {
    const some = announced.slice(from, from + CHUNK)
    const concerns = await findConcerns(rows, some, deps)
    await emit(rows, ...some.flatMap((event) => announcementOf(event, concerns.get(event) ?? {}, deps) ?? []))
  }
}
