import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { keccakOf } from '../../../domain/common/hashes.ts'
import { captureBadgeFields, captureSnapshot, verifySnapshot } from '../../../domain/sessions/snapshot.ts'
import type { JobSnapshot } from '../../../schemas/sessions/record.ts'
import { builtJob, jobRecord, NOW, prBody } from '../builders/job.ts'

const facts = (job = jobRecord()) => ({
  job,
  decimals: 6,
  capturedAt: NOW,
  chainId: 31337,
  escrowAddress: `0x${'AB'.repeat(20)}`,
  claimEconomics: { totalClaimLockRaw: '250000' },
  specSource: 'chain_verified' as const,
})

const capture = (job = jobRecord()): JobSnapshot => {
  const snapshot = captureSnapshot(facts(job))
  if (snapshot === null) throw new Error('not captured')
  return snapshot
}

/** As the database gives it back. */
const stored = (snapshot: JobSnapshot): JobSnapshot => JSON.parse(JSON.stringify(snapshot))

const HASHED = ['definition', 'specDefinition', 'verifierConfigSnapshot', 'outputSchema'] as const
const HASHES = ['definitionHash', 'specHash', 'verifierConfigHash'] as const

describe('the pin of a claim', () => {
  test('holds the terms, their hashes and everything a verdict needs', () => {
    const job = jobRecord()
    const [specHash, listedAt] = [job.specHash, '2026-03-01T12:00:00.000Z']
    expect(capture(job)).toMatchObject({
      version: 'job-snapshot-v1',
      capturedAt: listedAt,
      jobId: 'job-1',
      specHash,
      specDefinition: job.definition,
      definition: { rewardAmount: 2, rewardAmountRaw: '2000000', listedAt, provenance: { specHash } },
      outputSchema: { ref: 'schema://jobs/coding-output' },
      verifierConfigSnapshot: job.definition.verifierConfig,
      verifierPolicyVersion: 1,
      verifierConfigVersion: 2,
      handlerVersion: 2,
      chainId: 31337,
      escrowAddress: `0x${'ab'.repeat(20)}`,
      specSource: 'chain_verified',
    })
  })

  test('holds after a way through the database, and gives back the terms', () => {
    const job = jobRecord(builtJob(prBody()))
    const check = verifySnapshot(stored(capture(job)), 'job-1')
    expect(check).toMatchObject({ ok: true, definition: job.definition })
    expect(check.ok && keccakOf(check.definition)).toBe(job.specHash)
  })

  test('pins the schema itself, not only its name', () => {
    const { outputSchema } = capture()
    expect(keccakOf(outputSchema.schema)).toBe(outputSchema.schemaHash)
    expect(outputSchema.schema).toMatchObject({ required: ['summary', 'output', 'status'] })
  })

  test('cannot be taken when the schema of the result is not known', () => {
    const job = jobRecord()
    const unknown = { ...job, definition: { ...job.definition, outputSchemaRef: 'schema://jobs/gone' } }
    expect(captureSnapshot(facts(unknown))).toBeNull()
  })

  test('pins what a badge will say', () => {
    expect(captureBadgeFields(jobRecord(), 6)).toEqual({
      category: 'coding',
      tier: 'starter',
      verifierMode: 'benchmark',
      rewardAsset: 'USDC',
      rewardAmount: '2',
      rewardAmountRaw: '2000000',
    })
  })
})

describe('a damaged pin', () => {
  const codeOf = (snapshot: unknown, jobId = 'job-1') => {
    const check = verifySnapshot(snapshot as JobSnapshot, jobId)
    return check.ok ? 'ok' : check.code
  }

  const whole = capture()
  const easier = { ...whole.verifierConfigSnapshot, minimumMatches: 1 }
  const { verifierConfig: _gone, ...unverified } = whole.specDefinition
  test.each<[string, object, string]>([
    ['of an unknown version', { version: 'job-snapshot-v2' }, 'incomplete'],
    ['without its schema', { outputSchema: undefined }, 'incomplete'],
    ['without a hash', { specHash: undefined }, 'incomplete'],
    ['with another definition', { definition: { ...whole.definition, title: 'other' } }, 'definition_hash_mismatch'],
    ['with another pre-image', { specDefinition: { ...whole.specDefinition, title: 'other' } }, 'spec_preimage_mismatch'],
    ['with an easier verifier', { verifierConfigSnapshot: easier, verifierConfigHash: keccakOf(easier) }, 'spec_preimage_mismatch'],
    ['whose pre-image lost its verifier', { specDefinition: unverified, specHash: keccakOf(unverified) }, 'spec_preimage_mismatch'],
    ['with another config version', { verifierConfigVersion: 1 }, 'spec_preimage_mismatch'],
    ['with another schema', { outputSchema: { ...whole.outputSchema, schema: {} } }, 'output_schema_mismatch'],
    ['with the schema of another name', { outputSchema: { ...whole.outputSchema, ref: 'schema://jobs/x' } }, 'output_schema_mismatch'],
    ['of another job', { jobId: 'job-2' }, 'job_id_mismatch'],
  ])('%s is named', (_name, damage, code) => {
    expect(codeOf({ ...whole, ...damage })).toBe(`job_snapshot_${code}`)
  })

  test('of another job than the session says is named', () => {
    expect(codeOf(capture(), 'job-2')).toBe('job_snapshot_job_id_mismatch')
  })

  test('one flipped character anywhere in the terms, the schema or a hash is found', () => {
    const text = (snapshot: JobSnapshot, member: (typeof HASHED)[number] | (typeof HASHES)[number]) => JSON.stringify(snapshot[member])
    fc.assert(
      fc.property(fc.constantFrom(...HASHED, ...HASHES), fc.nat(), fc.integer({ min: 1, max: 127 }), (member, position, mask) => {
        const snapshot = capture()
        const original = text(snapshot, member)
        const at = position % original.length
        const flipped = String.fromCharCode(original.charCodeAt(at) ^ mask)
        const damagedText = original.slice(0, at) + flipped + original.slice(at + 1)
        let damaged: unknown
        try {
          damaged = JSON.parse(damagedText)
        } catch {
          return
        }
        if (keccakOf(damaged) === keccakOf(JSON.parse(original))) return
        expect(codeOf({ ...snapshot, [member]: damaged })).toMatch(/^job_snapshot_/)
      }),
      { numRuns: 500 },
    )
  })
})
