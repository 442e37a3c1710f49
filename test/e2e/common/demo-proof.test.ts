import { describe, expect, test } from '@jest/globals'
import { type Evidence, missingProof } from '../../../local/demo/proof.ts'

describe('the proof at the end of the demo', () => {
  const badge = { tokenId: 1n, level: 1n, metadataUri: 'http://here/badges/a' }
  const standing = { liquidRaw: 0n, stakedRaw: 0n, tokensRaw: 0n, badges: [] }
  const wallet = `0x${'1'.repeat(40)}` as const
  const good: Evidence = {
    wallet,
    badgeUrl: badge.metadataUri,
    before: { ...standing, liquidRaw: 15n },
    locked: { ...standing, stakedRaw: 15n },
    after: { ...standing, liquidRaw: 110n, badges: [badge] },
    escrow: { state: 'closed', worker: wallet, rewardRaw: 100n, releasedRaw: 100n },
    bondRaw: 15n,
    netRewardRaw: 95n,
  }

  test('is complete when the chain shows bond, payment and badge', () => {
    expect(missingProof(good)).toEqual([])
  })

  test.each<[string, Partial<Evidence>]>([
    ['the escrow is not closed', { escrow: { ...good.escrow, state: 'submitted' } }],
    ['the escrow names another worker', { escrow: { ...good.escrow, worker: `0x${'2'.repeat(40)}` } }],
    ['less was released', { escrow: { ...good.escrow, releasedRaw: 50n } }],
    ['less arrived', { after: { ...good.after, liquidRaw: 109n } }],
    ['nothing was to be paid', { netRewardRaw: 0n, after: { ...good.after, liquidRaw: 15n } }],
    ['the bond is still locked', { after: { ...good.after, stakedRaw: 15n } }],
    ['no bond was locked', { locked: standing }],
    ['there is no badge', { after: { ...good.after, badges: [] } }],
    ['the badge is of before', { before: { ...good.before, badges: [badge] } }],
    ['the badge points elsewhere', { badgeUrl: 'http://here/badges/b' }],
  ])('is missing when %s', (_name, change) => {
    expect(missingProof({ ...good, ...change })).toHaveLength(1)
  })
})
