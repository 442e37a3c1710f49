// Every code that stands between a wallet and its posted job, or between a worker and the job of another wallet.
import { describe, expect, test } from '@jest/globals'
import { CLAIM_ERRORS } from '../../../schemas/claims/errors.ts'
import { codesOf } from '../../../schemas/common/error-row.ts'
import { POSTING_ERRORS } from '../../../schemas/postings/errors.ts'
import { useStarted } from '../../support/started.ts'
import { startPostingHttp } from '../support/posting-http.ts'
import { definitionBlockers, rawBlockers } from './blockers/definitions.ts'
import { agreementBlockers, cancelBlockers, contractBlockers, draftBlockers, feeBlockers, posterBlockers } from './blockers/funding.ts'
import { proofBlockers } from './blockers/proof.ts'
import { type Blocker, nextOf } from './blockers/row.ts'
import { workBlockers } from './blockers/work.ts'

const stage = useStarted(startPostingHttp, ({ stop }) => stop())

const BLOCKERS: readonly Blocker[] = [
  ...definitionBlockers(stage),
  ...rawBlockers(stage),
  ...posterBlockers(stage),
  ...draftBlockers(stage),
  ...contractBlockers(stage),
  ...agreementBlockers(stage),
  ...feeBlockers(stage),
  ...cancelBlockers(stage),
  ...proofBlockers(stage),
  ...workBlockers(stage),
]

describe('a posted job', () => {
  test.each(BLOCKERS.map((row) => [row.code, row.name, row] as const))('is refused with %s for %s', async (code, _name, row) => {
    const [refused, right] = await row.play()
    const { body, status, headers } = refused
    expect({ status, code: body.code, next: nextOf(refused) }).toEqual({ status: row.status, code, next: row.next })
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(body).toMatchObject({ status, retryable: row.retryable ?? false, type: expect.stringContaining(`/docs/errors/${code}`) })
    expect(body.details ?? {}).toMatchObject(row.details)
    if (row.pointer !== undefined) expect(body.errors[0].pointer).toBe(row.pointer)
    if (right !== null) expect([right.body.code, right.status < 300]).toEqual([row.asks, row.asks === undefined])
  })
})

test('every code of the tables of postings and of self-paid work has a row', () => {
  const ofClaims = codesOf(CLAIM_ERRORS).filter((code) => code.startsWith('external_'))
  const needed = [...codesOf(POSTING_ERRORS), ...ofClaims, 'claim_not_admitted', 'claimant_is_poster']
  const proved = new Set(BLOCKERS.map(({ code }) => code))
  expect(needed.filter((code) => !proved.has(code))).toEqual([])
})
