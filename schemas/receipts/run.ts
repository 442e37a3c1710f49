import { z } from 'zod'
import { Bytes32, closedShape, DocumentSignatureShape, literal, RawAmount, SignedTime } from '../operations/values.ts'
import { SignerShape } from '../reputation/shapes.ts'
import { Party, WorkReceiptShape } from './shapes.ts'

const { intent, execution, timestamps } = WorkReceiptShape.shape
const { successPolicy, valueAtRisk } = intent.shape

/** What a profile can be asked to verify, without credentials and without queries of addresses. */
const TargetShape = z.union([
  closedShape('VerifiedPatch', 'A commit of a repository, to which a patch applies.', {
    repository: z.string().describe('As the customer names it.'),
    commit: z.string().regex(/^[0-9a-f]{40}$/),
  }),
  closedShape('VerifiedServer', 'A server of tools.', {
    endpoint: z.string().describe('Without its query.'),
    transport: literal('streamable_http'),
    auth: z.strictObject({ scheme: literal('bearer') }).optional(),
  }),
  closedShape('VerifiedOutput', 'An output; the artefacts name it.', {}),
])

/** Work receipt of a paid run of verification. Source: identity, "Paid verification variant". Every object is closed. */
export const RunReceiptShape = z
  .strictObject({
    schemaVersion: literal('service.work-receipt.v1'),
    kind: literal('run'),
    receiptType: literal('work_outcome'),
    receiptId: WorkReceiptShape.shape.receiptId,
    worker: Party.describe('Account that paid for the run.'),
    verifier: closedShape('RunVerifier', 'The profile that judged.', {
      profile: z.string().describe('Name of the profile.'),
      profileVersion: z.int().min(1),
      profileDigest: Bytes32.describe('SHA-256 of the canonical document of the profile.'),
      handler: z.string(),
      version: z.int().min(1).describe('Version of the handler.'),
      mode: literal('deterministic'),
    }),
    intent: closedShape('RunIntent', 'What was asked for.', {
      specHash: Bytes32.describe('Hash of the request: SHA-256 of the canonical JSON of `{inputs, profile, profileVersion, target}`.'),
      specSource: literal('verify_request'),
      successPolicy,
      valueAtRisk: valueAtRisk.describe('What the run cost: nothing where it was not billed.'),
      deadline: SignedTime.describe('Admission and the longest time of the profile.'),
      poster: Party.describe('Account that paid for the run.'),
      posterClass: literal('external'),
    }),
    execution: closedShape('RunExecution', 'What was judged, and what each check found.', {
      provider: Party.describe('Account that paid for the run.'),
      providerClass: literal('unknown'),
      target: TargetShape,
      artefacts: z
        .array(
          z.strictObject({
            role: z.string().describe('Its place in the inputs.'),
            sha256: z.string().regex(/^[0-9a-f]{64}$/),
            bytes: z.int().min(0),
          }),
        )
        .describe('Files that the service fetched, without their addresses.'),
      artifactHash: Bytes32.describe('SHA-256 of the canonical JSON of `artefacts`.'),
      sourceBinding: closedShape('RequestBinding', 'How the run is bound to its request.', {
        method: literal('request_hash'),
        verified: z.boolean().describe('Whether `specHash` is the hash of the stored request.'),
      }),
      evidenceHash: Bytes32.describe('keccak256 of the canonical JSON of `execution` of the run, as its customer reads it.'),
      environment: execution.shape.environment.describe('The sandbox; null where none was needed.'),
      checks: z.array(
        closedShape('RunCheck', 'A check of the profile.', {
          name: z.string(),
          verdict: z.enum(['pass', 'fail', 'inconclusive']),
          reason: z.string().nullable().describe('Why it was not decided; null otherwise.'),
          detail: z.string().describe('Without addresses.'),
        }),
      ),
    }),
    verdict: closedShape('RunVerdict', 'The outcome.', {
      outcome: z.enum(['approved', 'rejected', 'inconclusive']),
      reasonCode: z.string(),
      evidenceHash: Bytes32.describe('Equals that of `execution`.'),
      policyTags: z.array(z.string()).max(0).describe('Empty: no policy of jobs applies.'),
      workerConsequence: literal('none'),
    }),
    billing: closedShape('RunBilling', 'Whether the run was paid.', {
      status: z.enum(['captured', 'not_billed']),
      reason: z
        .enum(['sent_by_another'])
        .nullable()
        .describe('`sent_by_another`: the result is inconclusive, another account sent the payment, and the operator owes it back.'),
    }),
    payment: closedShape('RunPayment', 'The payment.', {
      network: z
        .string()
        .regex(/^eip155:[1-9][0-9]*$/)
        .describe('CAIP-2.'),
      asset: Party.describe('Address of the token.'),
      amountRaw: RawAmount,
      transactionHash: Bytes32.nullable().describe('Null where the run was not billed.'),
    }),
    timestamps: timestamps.describe('`claimedAt` and `submittedAt` are the admission of the run, `verifiedAt` is the end of its profile.'),
    attestation: z.string().describe('What the document states and what it does not.'),
    signers: z.array(SignerShape),
    canonicalUrl: z.url(),
    signature: DocumentSignatureShape,
  })
  .meta({ id: 'RunReceipt', description: 'Signed statement of what a paid run of verification found, and of its payment.' })
export type RunReceipt = z.infer<typeof RunReceiptShape>

/** Work receipt v1: of a session, or of a paid run, by its `intent.specSource`. */
export const AnyWorkReceiptShape = z.union([WorkReceiptShape, RunReceiptShape]).meta({
  description:
    'Signed statement of what was judged, by which checks, and which transaction settled it: the work of a session, or a paid run.',
})
