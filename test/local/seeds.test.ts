import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { listOpenJobs } from '../../activities/catalogue/lists.ts'
import { openDatabase } from '../../activities/database/database.ts'
import { priorityPolicy, priorityWindowView } from '../../domain/eligibility/priority-window.ts'
import { seed } from '../../local/catalogue/seed.ts'
import { stateFiles } from '../../local/files.ts'
import { ensureServiceKeys, localKey } from '../../local/keys.ts'
import { PRIORITY } from '../../local/services.ts'
import { readSettings } from '../../schemas/settings.ts'
import { testChain } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'

test('several that top the catalogue up at once add each seed once, with its poster, and a few with a head start', async () => {
  const { url, drop } = await createTestDatabase()
  const dir = mkdtempSync(join(tmpdir(), 'agent-work-seeds-'))
  const files = stateFiles(dir)
  writeFileSync(files.chainFile, JSON.stringify(testChain))
  ensureServiceKeys(files)
  try {
    const added = await Promise.all([seed(url, files), seed(url, files), seed(url, files)])
    expect(added.filter((count) => count > 0)).toHaveLength(1)
    expect(await seed(url, files)).toBe(0)
    const database = openDatabase({ url, poolSize: 1 })
    try {
      const jobs = await listOpenJobs(database.rows, {}, { now: Date.now(), limit: 100, after: null })
      expect(new Set(jobs.map((job) => job.posterAddress))).toEqual(new Set([localKey('operator').address.toLowerCase()]))
      const [DATABASE_URL, CHAIN_FILE] = [url, files.chainFile]
      const policy = priorityPolicy(readSettings({ DATABASE_URL, CHAIN_FILE, ...PRIORITY }), testChain.asset.symbol)
      const windowed = jobs.filter((job) => priorityWindowView(job, policy) !== undefined)
      expect(windowed.length).toBeGreaterThan(3)
      expect(windowed.length).toBeLessThan(jobs.length / 2)
    } finally {
      await database.close()
    }
  } finally {
    rmSync(dir, { recursive: true })
    await drop()
  }
})
