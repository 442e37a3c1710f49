import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const ingestion = subject({
  name: 'ingestion',
  buildsOn: ['catalogue', 'verification', 'pull-requests', 'codehost', 'postings', 'lanes'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
