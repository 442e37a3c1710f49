import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const shares = subject({
  name: 'shares',
  buildsOn: ['content', 'disputes'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
