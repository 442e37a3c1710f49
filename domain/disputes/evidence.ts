import type { SessionRecord } from '../../schemas/sessions/record.ts'
import { keccakOf } from '../common/hashes.ts'
import { amount, type assetAmount } from '../common/money.ts'
import { bondRaw } from '../sessions/economics-view.ts'
import { pinnedDefinition } from '../sessions/snapshot.ts'

/** Evidence of a dispute at its opening, with its hash: work, verdict and terms of a session. `verdict` is the disputed verdict as stored. */
export const evidenceBundle = (session: SessionRecord, verdict: Record<string, unknown> | null) => {
  const definition = pinnedDefinition(session.jobSnapshot)
  const { claimStakeRaw, claimFeeRaw, asset } = session.economics
  const toAmount = (raw: bigint) => amount({ raw, decimals: asset.decimals })
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
      claimStake: toAmount(claimStakeRaw),
      claimFee: toAmount(claimFeeRaw),
      totalClaimLock: toAmount(bondRaw(session.economics)),
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

type WirePayout = ReturnType<typeof assetAmount>

/** Content blob of a rationale; its SHA-256 is the reasoning hash. */
export const rationaleBlob = (input: { disputeId: string; verdict: string; workerPayout: WirePayout | null; rationale: string }) => ({
  kind: 'dispute_rationale',
  disputeId: input.disputeId,
  verdict: input.verdict,
  workerPayout: input.workerPayout,
  rationale: input.rationale,
})

/** Content blob of a worker's statement; its SHA-256 is the statement hash. */
export const statementBlob = (input: { disputeId: string; statement: string }) => ({
  kind: 'dispute_statement',
  disputeId: input.disputeId,
  statement: input.statement,
})
