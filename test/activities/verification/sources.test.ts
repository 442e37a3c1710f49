import { describe, expect, test } from '@jest/globals'
import { evaluate } from '../support/fixture-run.ts'
import { BENCHMARK_FIXTURES } from './fixtures/benchmark.ts'
import { CODEHOST_PR_FIXTURES } from './fixtures/codehost-pr.ts'
import { DETERMINISTIC_FIXTURES } from './fixtures/deterministic.ts'
import { createFixtureSources, type VerifierFixture } from './fixtures/fixture.ts'

/** A fixture's verdict, and the addresses that were asked for on the way to it. */
const watched = async (fixture: VerifierFixture) => {
  const asked: string[] = []
  const sources = createFixtureSources(fixture.sources)
  const verdict = await evaluate(fixture.config.handler, fixture, {
    runProfile: sources.runProfile,
    readPullRequest: (ref) => {
      asked.push(ref.url)
      return sources.readPullRequest(ref)
    },
    readRevision: (anchor) => {
      asked.push(anchor.revisionId)
      return sources.readRevision(anchor)
    },
    isReachable: (url) => {
      asked.push(url)
      return sources.isReachable(url)
    },
    readDigest: (url) => {
      asked.push(url)
      return sources.readDigest(url)
    },
  })
  return { verdict, asked }
}

const named = (fixtures: readonly VerifierFixture[], name: string): VerifierFixture => {
  const found = fixtures.find((fixture) => fixture.name === name)
  if (found === undefined) throw new Error(`no fixture ${name}`)
  return found
}

describe('a pull request', () => {
  const approved = named(CODEHOST_PR_FIXTURES, 'an open pull request with green checks')
  const failing = (isTransient: boolean, retryAfterSeconds: number | null) =>
    evaluate('codehost_pr', {
      ...approved,
      sources: { pullRequest: { status: 'unavailable', reason: 'codehost_rate_limited', isTransient, retryAfterSeconds } },
    })

  test('is read once, by the address in the submission', async () => {
    const { verdict, asked } = await watched(approved)
    expect(verdict).toMatchObject({ outcome: 'approved', codehostLookup: { status: 'verified' } })
    expect(asked).toEqual(['https://codehost.example/acme/widgets/pull/12'])
  })

  test('is not read for a job that names no repository: people decide', async () => {
    const { definition: _repository, ...nowhere } = approved
    const { verdict, asked } = await watched(nowhere)
    expect(verdict).toMatchObject({ outcome: 'disputed', reasonCode: 'HUMAN_REVIEW_REQUIRED', detail: 'codehost_job_names_no_repository' })
    expect(asked).toEqual([])
  })

  test.each([
    ['no pull request at all', 'codehost_pr_url_invalid'],
    ['a merged pull request of another repository', 'codehost_repo_mismatch'],
    ['the right repository on a host of the worker’s own', 'codehost_repo_mismatch'],
  ])('is not read, and the verdict says why: %s', async (name, reason) => {
    const { verdict, asked } = await watched(named(CODEHOST_PR_FIXTURES, name))
    expect(verdict).toMatchObject({ outcome: 'rejected', codehostLookup: { status: 'not_applicable', reason } })
    expect(asked).toEqual([])
  })

  test('that cannot be read now waits as long as the host says', async () => {
    const unavailable = { reasonCode: 'CODEHOST_PR_LOOKUP_UNAVAILABLE', detail: 'codehost_rate_limited' }
    expect(await failing(true, 30)).toEqual({ unavailable: { ...unavailable, retryAfterSeconds: 30 } })
    expect(await failing(true, null)).toEqual({ unavailable })
  })

  test('that will not be readable later either goes to people', async () => {
    expect(await failing(false, 30)).toMatchObject({
      handler: 'human_fallback',
      outcome: 'disputed',
      reasonCode: 'HUMAN_REVIEW_REQUIRED',
      escalatedFrom: 'codehost_pr',
    })
  })
})

describe('a pinned revision', () => {
  const missed = named(BENCHMARK_FIXTURES, 'keywords alone do not reach for the revision')

  test('is read for work that has the terms', async () => {
    const { verdict, asked } = await watched(named(BENCHMARK_FIXTURES, 'every quote and address stands in the revision'))
    expect(verdict).toMatchObject({ outcome: 'approved' })
    expect(asked).toEqual(['1201456789'])
  })

  test('is not waited for by work that missed them', async () => {
    const { verdict, asked } = await watched({ ...missed, sources: { revision: { unavailable: 'away' } } })
    expect(verdict).toMatchObject({ outcome: 'rejected', reasonCode: 'BENCHMARK_THRESHOLD_MISSED' })
    expect(asked).toEqual([])
  })

  test('that is away decides nothing, and the answer says what was away', async () => {
    const { verdict } = await watched(named(BENCHMARK_FIXTURES, 'an anchored job is never judged by its keywords alone'))
    expect(verdict).toEqual({
      unavailable: { reasonCode: 'BENCHMARK_PINNED_REVISION_UNAVAILABLE', detail: expect.stringContaining('away') },
    })
  })
})

describe('pinned addresses', () => {
  test('are both fetched once the submission names them', async () => {
    const { verdict, asked } = await watched(named(DETERMINISTIC_FIXTURES, 'both pinned addresses, and both answer'))
    expect(verdict).toMatchObject({ outcome: 'approved' })
    expect(asked).toEqual(['https://catalog.data.example/dataset/stations', 'https://catalog.data.example/dataset/stations/stations.csv'])
  })

  test.each([
    'the two addresses swapped',
    'an address of the worker’s own that answers',
    'nothing is pinned, and nothing was handed in to match it',
  ])('are not fetched: %s', async (name) => {
    const { verdict, asked } = await watched(named(DETERMINISTIC_FIXTURES, name))
    expect(verdict).toMatchObject({ outcome: 'rejected' })
    expect(asked).toEqual([])
  })

  test('are fetched for facts of a source that are not all there', async () => {
    const { asked } = await watched(named(DETERMINISTIC_FIXTURES, 'one count is wrong'))
    expect(asked).toEqual(['https://api.example.com/openapi.json'])
  })

  test('are not fetched for an answer that is compared', async () => {
    expect((await watched(named(DETERMINISTIC_FIXTURES, 'the exact answer'))).asked).toEqual([])
  })
})
