import { describe, expect, test } from '@jest/globals'
import { contractRefusal, pauseRefusal, refusalDetails } from '../../../domain/chain/contract-refusals.ts'
import { POOL_REFUSALS } from '../../../schemas/pool/record.ts'

const NO_PARTS = { customError: null, rawReason: null, selector: null }

test.each(POOL_REFUSALS.filter((reason) => reason !== 'GasEstimateUnavailable'))('%s of the pool has a meaning and a remedy', (reason) => {
  expect(contractRefusal(reason)).not.toEqual(contractRefusal('anything else'))
})

describe('the details of a refused call', () => {
  test('of a reason that could not be read say so, and carry no code of an execution', () => {
    expect(refusalDetails('submitWorkFor', null, NO_PARTS)).toEqual({
      operation: 'submitWorkFor',
      rawCode: null,
      ...NO_PARTS,
      meaning: 'Its reason could not be read.',
      remedy: 'Read the state on the chain before you try again.',
    })
  })

  test('of a reason without a row are those of an execution that reverted', () => {
    const parts = { customError: null, rawReason: 'NOT_EXPIRED', selector: '0x08c379a0' }
    expect(refusalDetails('handleClaimTimeout', 'NOT_EXPIRED', parts)).toMatchObject({
      rawCode: 3,
      rawReason: 'NOT_EXPIRED',
      meaning: 'No meaning is known for this reason.',
    })
  })

  test('are the same for a pause that is foretold and for one that was met', () => {
    const parts = { customError: 'ProtocolPaused', rawReason: null, selector: '0x44279255' }
    const { details, detail, retryAfterSeconds, nextActions } = pauseRefusal('claimJobFor', { jobId: 'j' })
    expect(details).toEqual({ jobId: 'j', ...refusalDetails('claimJobFor', 'ProtocolPaused', parts) })
    const { meaning, remedy } = contractRefusal('ProtocolPaused')
    expect([detail, retryAfterSeconds, nextActions]).toEqual([meaning, 60, [{ kind: 'wait', description: remedy }]])
  })

  test.each([
    [61, 60],
    [30, 30],
    [0, 1],
    [-5, 1],
  ])('of a pause, with %d s left for the call, say to come back in %d s', (leftSeconds, retryAfterSeconds) => {
    expect(pauseRefusal('submitWorkFor', {}, leftSeconds)).toMatchObject({ retryAfterSeconds })
  })
})
