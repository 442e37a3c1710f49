// Pages of a service without jobs, payments and listed wallets: each says what to do.
import { describe, expect, test } from '@jest/globals'
import { createEvaluations } from '../../../activities/eligibility/evaluate.ts'
import { createPosterReader } from '../../../activities/postings/poster-record.ts'
import { createCatalogueHandlers } from '../../../api/catalogue/handlers.ts'
import type { ApiDeps } from '../../../api/deps.ts'
import { createDirectoryHandlers } from '../../../api/directory/handlers.ts'
import { createPoolHandlers } from '../../../api/pool/handlers.ts'
import { createBadgeHandlers } from '../../../api/reputation/badge-handlers.ts'
import { createSessionLogHandlers } from '../../../api/session-log/handlers.ts'
import { createSettlementHandlers } from '../../../api/settlement/handlers.ts'
import { readPage } from '../../support/pages/read-page.ts'
import { fillBank } from '../support/listed-job.ts'
import { useApi } from '../support/started.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const api = useApi({
  handlers: (service) => {
    const reads = {} as ApiDeps['reads']
    const readPoster = createPosterReader(service)
    const deps = { ...service, reads, readPoster, evaluations: createEvaluations({ ...service, reads }) } as ApiDeps
    return {
      ...createCatalogueHandlers(deps),
      ...createSettlementHandlers(deps),
      ...createDirectoryHandlers(deps),
      ...createBadgeHandlers(deps),
      ...createSessionLogHandlers(deps),
      ...createPoolHandlers(deps),
    }
  },
})

const open = async (path: string) => {
  const { status, text } = await api.call(path, { headers: { accept: BROWSER } })
  const { texts } = readPage(text)
  return { status, text, words: texts.join(' ').replaceAll(/\s+/g, ' ') }
}

const UNKNOWN_BADGE = `/badges/nothing-here:0x${'a'.repeat(40)}`

/** Path → status, what its page says, and where it leads. */
const PAGES: Record<string, readonly [status: number, words: RegExp, link: string]> = {
  '/': [200, /No job without a bond is open right now\..*Nothing has been paid yet\./, '/docs/guides/first-badge'],
  '/jobs': [200, /No job is listed right now\. Come back later/, '/docs/guides/first-badge'],
  '/jobs?tier=pro': [200, /No job fits\. Show all jobs/, '/jobs'],
  '/jobs/definition?jobId=nothing-here': [404, /What to do/, '/jobs'],
  [UNKNOWN_BADGE]: [404, /What to do/, '/'],
  '/agents': [200, /No wallet is listed here yet\..*Be listed/, '/docs/guides/first-badge'],
  '/log/heads': [200, /No day is closed yet\. The first head comes after midnight UTC\./, '/verify'],
  '/pool': [200, /The chain of this service has no deposit pool, so nothing can be deposited\./, '/health'],
}

describe('an empty service', () => {
  test('says before its first look at the chain that it does not know what can be claimed', async () => {
    for (const path of ['/', '/jobs']) {
      const { words } = await open(path)
      expect(words).toContain('The service has not read the chain yet.')
      expect(words).not.toMatch(/\b0 (?:jobs |of them )?can be claimed|No job without a bond is open/)
    }
  })

  test.each(Object.keys(PAGES))('says at %s what to do', async (path) => {
    await fillBank(api.deps.database)
    const [status, expected, link] = PAGES[path] as (typeof PAGES)[string]
    const { text, words, ...answer } = await open(path)
    expect([answer.status, words]).toEqual([status, expect.stringMatching(expected)])
    const [, content = ''] = text.split('<main')
    expect(content).toContain(`href="${link}"`)
    expect(words).not.toContain('has not read the chain')
  })
})
