import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { type Hex, keccakOf } from '../common/hashes.ts'
import { toDisplay } from '../common/money.ts'
import { pinnedDefinition } from '../sessions/snapshot.ts'

/** What a dispute is decided on, as it stood at the opening, and the hash of it. */
export interface EvidenceBundle {
  evidence: Record<string, unknown>
  evidenceHash: Hex
}

/** Work, verdict and terms of a session. `verdict` is the stored verdict that was objected to. */
export const evidenceBundle = (session: SessionRecord, verdict: Record<string, unknown> | null): EvidenceBundle => {
  const definition = pinnedDefinition(session.jobSnapshot)
  const { claimStakeRaw, claimFeeRaw, asset } = session.economics
  const shown = (raw: bigint) => ({ raw: raw.toString(), decimals: asset.decimals, display: toDisplay(raw, asset.decimals) })
  const evidence = {
    before: {
      jobId: session.jobId,
      jobTitle: definition.title,
      requirements: {
        description: definition.description,
        outputSchemaRef: session.jobSnapshot.outputSchema.ref,
        verifierConfig: session.jobSnapshot.verifierConfigSnapshot,
      },
      specHash: session.jobSnapshot.specHash,
      definitionHash: session.jobSnapshot.definitionHash,
      claimStake: shown(claimStakeRaw),
      claimFee: shown(claimFeeRaw),
      totalClaimLock: shown(claimStakeRaw + claimFeeRaw),
    },
    after: {
      submission: session.submission,
      submissionHash: session.evidenceHash,
      verification: verdict,
      verificationHash: verdict === null ? null : keccakOf(verdict),
    },
  }
  return { evidence, evidenceHash: keccakOf(evidence) }
}

/** The blob of a rationale; its SHA-256 is the reasoning hash. */
export const rationaleBlob = (input: { disputeId: string; verdict: string; workerPayoutRaw: string | null; rationale: string }) => ({
  kind: 'dispute_rationale',
  disputeId: input.disputeId,
  verdict: input.verdict,
  workerPayout: input.workerPayoutRaw,
  rationale: input.rationale,
})
