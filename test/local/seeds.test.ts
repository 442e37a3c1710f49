import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { stateFiles } from '../../local/files.ts'
import { seed } from '../../local/seeds.ts'
import { testChain } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'

test('several that top the catalogue up at once add each seed once', async () => {
  const { url, drop } = await createTestDatabase()
  const dir = mkdtempSync(join(tmpdir(), 'agent-work-seeds-'))
  const files = stateFiles(dir)
  writeFileSync(files.chainFile, JSON.stringify(testChain))
  try {
    const added = await Promise.all([seed(url, files), seed(url, files), seed(url, files)])
    expect(added.filter((count) => count > 0)).toHaveLength(1)
    expect(await seed(url, files)).toBe(0)
  } finally {
    rmSync(dir, { recursive: true })
    await drop()
  }
})
