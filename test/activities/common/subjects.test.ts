import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@jest/globals'
import { loadSubjects, mergeSubjects } from '../../../activities/common/subjects.ts'

test('the modules of a layer are the files of a name in its folders, in the order of their paths', async () => {
  const layer = mkdtempSync(join(tmpdir(), 'layer-'))
  const files = ['pool/part.ts', 'pool/other.ts', 'claims/late-part.ts', 'claims/part.ts', 'part.ts', 'pool/deeper/part.ts']
  try {
    for (const path of files) {
      mkdirSync(dirname(join(layer, path)), { recursive: true })
      writeFileSync(join(layer, path), `export const path = '${path}'`)
    }
    const loaded = await loadSubjects<{ path: string }>(pathToFileURL(`${layer}/`), /part\.ts$/)
    expect(loaded.map(({ subject, module }) => `${subject}: ${module.path}`)).toEqual([
      'claims: claims/late-part.ts',
      'claims: claims/part.ts',
      'pool: pool/part.ts',
    ])
  } finally {
    rmSync(layer, { recursive: true })
  }
})

test('members of two subjects are merged, and one name of both is refused with the subjects', () => {
  const parts = [
    { subject: 'claims', module: { claimJob: 1 } },
    { subject: 'pool', module: { advanceVesting: 2 } },
  ]
  expect(mergeSubjects('activity', parts)).toEqual({ claimJob: 1, advanceVesting: 2 })
  const doubled = [...parts, { subject: 'credit', module: { claimJob: 3 } }]
  expect(() => mergeSubjects('activity', doubled)).toThrow('two subjects have the activity claimJob: claims and credit')
})
