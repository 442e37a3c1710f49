import type { FollowerLag } from '../../activities/chain/follower/cursor.ts'
import type { NodeEvidence } from '../../activities/chain/node/batch-limit.ts'
import { iso, isoOrNull } from '../../domain/common/instants.ts'
import type { Health } from '../../schemas/health/shapes.ts'
import type { ServiceDeps } from '../deps.ts'
import type { Probed, Probes } from './probes.ts'
import type { ProductSnapshot } from './snapshot.ts'

/** The result of every probe. */
type ProbeResults = { [Name in Exclude<keyof Probes, 'evidence'>]: Probed<Awaited<ReturnType<Probes[Name]>>> }

/** Everything a health report is built from. */
export interface Findings extends ProbeResults {
  /** Service time, epoch ms. */
  now: number
  /** Wall clock, which the workflow engine uses. */
  wallNow: number
  /** What the node's answers to this process show. */
  evidence: NodeEvidence
  /** Null when it could not be read. */
  snapshot: ProductSnapshot | null
}

/** Signers whose lowest open nonce blocks all later transactions. */
export const troublesOf = ({ nonces }: Findings) =>
  nonces.ok ? nonces.value.flatMap(({ signer, trouble }) => (trouble === null ? [] : [{ signer, trouble }])) : []

const lagOf = ({ follower }: Findings): FollowerLag | null => (follower.ok ? follower.value : null)

export const indexerState = ({ settings }: ServiceDeps, findings: Findings): Health['capabilityHealth']['indexer'] => {
  const lag = lagOf(findings)
  if (lag === null) return 'unavailable'
  if (lag.gapBlock !== null) return 'behind'
  return lag.lagSeconds > settings.CHAIN_LAG_SECONDS ? 'lagging' : 'synced'
}

export const indexerOf = (deps: ServiceDeps, findings: Findings): Health['components']['indexer'] => {
  const lag = lagOf(findings)
  return {
    ok: indexerState(deps, findings) === 'synced',
    lagSeconds: lag === null ? null : Math.floor(lag.lagSeconds),
    block: lag?.cursor.toString() ?? null,
    headBlock: lag?.head.toString() ?? null,
    gapBlock: lag?.gapBlock?.toString() ?? null,
    missedEvents: lag?.missedEvents ?? null,
    gapFoundAt: isoOrNull(lag?.gapFoundAt ?? null),
  }
}

export const blockchainOf = ({ chain, evidence }: Findings): Health['components']['blockchain'] => {
  const { batchSize, configuredSize, lastRefusal, lastReadAt } = evidence
  return {
    ok: chain.ok,
    lastReadAt: isoOrNull(lastReadAt),
    batchSize,
    configuredBatchSize: configuredSize,
    lastBatchRefusal: lastRefusal === null ? null : { at: iso(lastRefusal.at), size: lastRefusal.size },
  }
}
