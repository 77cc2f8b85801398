import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readS3Location } from './s3-location.ts'

test('a bucket with what belongs to it is read', () => {
  assert.deepEqual(readS3Location('s3://mail/some/prefix/?endpoint=http://127.0.0.1:9000&region=eu&pathStyle=true'), {
    bucket: 'mail',
    prefix: 'some/prefix/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu',
    pathStyle: true,
  })
  assert.deepEqual(readS3Location('s3://mail.example'), {
    bucket: 'mail.example',
    prefix: '',
    endpoint: undefined,
    region: undefined,
    pathStyle: false,
  })
})

test('what is none is refused by name', () => {
  for (const [text, why] of [
    ['s3://', /must be s3/],
    ['s3://UPPER', /must be s3/],
    ['s3://mail?endpoint=localhost', /endpoint/],
    ['s3://mail?pathStyle=yes', /pathStyle/],
    ['s3://mail?secret=x', /secret is not known/],
  ] as const) {
    assert.throws(() => readS3Location(text), why)
  }
})
