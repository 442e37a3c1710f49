import { subject } from '../subject.ts'
import { settings } from './settings.ts'

export const lanes = subject({
  name: 'lanes',
  buildsOn: ['catalogue', 'eligibility'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
  settings,
})
