// The follower on a real PostgreSQL and a real chain, beside the service's own steps, without the engine.

import { createScanClient } from '../../../activities/chain/clients.ts'
import { createChainEvents } from '../../../activities/chain/follower/events.ts'
import { createFollower, type FollowerStep } from '../../../activities/chain/follower/follower.ts'
import { createChainScan } from '../../../activities/chain/follower/scan.ts'
import type { ChoiceTimes } from '../../../activities/chain/node/choice.ts'
import { createChainNodes } from '../../../activities/chain/node/nodes.ts'
import type { Database } from '../../../activities/database/database.ts'
import type { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { movesProcess, recorders } from './chain-events.ts'
import { startNodeGate } from './node-gate.ts'
import { startService } from './service.ts'
import { openSettlements } from './settlements.ts'

const MOST_LOOKS = 500

export interface FollowerParts {
  database?: Database
  confirmations?: number
  nodeLagToleranceMs?: number
  monotonic?: () => number
  /** Address of the node; that of the gate without one. */
  rpcUrl?: string
  /** Further nodes, and how often they are looked at. */
  backups?: string[]
  times?: ChoiceTimes
}

export type FollowerWorld = Awaited<ReturnType<typeof startFollowerWorld>>

export const startFollowerWorld = async (kind?: string) => {
  const service = await startService(kind)
  const gate = await startNodeGate(service.world.rpcUrl)
  const { database, clock, world } = service

  const chainWith = (confirmations: number, primary: string): ChainFile => ({
    ...service.chain,
    confirmations,
    rpc: { ...service.chain.rpc, primary },
  })

  const followerOf = ({
    database: own = database,
    confirmations = 0,
    nodeLagToleranceMs = 60_000,
    monotonic,
    rpcUrl = gate.url,
    backups = [],
    times,
  }: FollowerParts = {}) => {
    const given = chainWith(confirmations, rpcUrl)
    const chain = { ...given, rpc: { ...given.rpc, backups } }
    const nodes = createChainNodes(chain, { ...(times && { times }) })
    const scan = createChainScan(chain, createScanClient(chain, nodes))
    const events = createChainEvents({
      database: own,
      chainId: chain.chainId,
      contracts: scan.contracts,
      escrows: scan.escrows,
      recorders,
      movesProcess,
      now: clock.now,
    })
    return createFollower({
      chain,
      database: own,
      scan,
      events,
      nodeLagToleranceMs,
      isNodeLagging: nodes.choice.isLagging,
      ...(monotonic && { monotonic }),
    })
  }

  /** Looks until nothing is left to read; what each look did. */
  const follow = async (follower = followerOf()): Promise<FollowerStep[]> => {
    const looks: FollowerStep[] = []
    while (looks.at(-1)?.kind !== 'idle') {
      looks.push(await follower.advance())
      if (looks.length > MOST_LOOKS) throw new Error(`no end: ${JSON.stringify(looks.slice(-3).map(({ kind }) => kind))}`)
    }
    return looks
  }

  return {
    ...service,
    gate,
    followerOf,
    follow,
    life: openSettlements(() => service),

    mine: async (blocks: number): Promise<void> => {
      await world.rpc('anvil_mine', `0x${blocks.toString(16)}`)
    },

    /** Everything that happens after the answer of `take` can be undone by it. */
    snapshot: async (): Promise<() => Promise<void>> => {
      const taken = await world.rpc('evm_snapshot')
      return async () => {
        await world.rpc('evm_revert', taken)
      }
    },

    /** Kept events of an escrow job, in the order of the chain. */
    eventsOf: (chainJobId: string) =>
      database.rows
        .selectFrom('chain_event')
        .selectAll()
        .where('chainJobId', '=', chainJobId)
        .orderBy('blockNumber')
        .orderBy('logIndex')
        .execute(),

    /** Announcements of the chain about a session, as written. */
    readAnnouncements: (sessionId: string) =>
      database.rows
        .selectFrom('event')
        .selectAll()
        .where('sessionId', '=', sessionId)
        .where('source', '=', 'chain')
        .orderBy('id')
        .execute(),

    stop: async (): Promise<void> => {
      await gate.stop()
      await service.stop()
    },
  }
}
