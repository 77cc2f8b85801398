import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createTestDatabase } from './support/database.ts'
import { describeSchema, SCHEMA_FILE } from './support/schema.ts'

test('schema.sql is what the migrations and the files of functions come to (npm run schema writes it anew)', async () => {
  const { database } = await createTestDatabase()
  assert.equal(await readFile(SCHEMA_FILE, 'utf8'), await describeSchema(database))
})
