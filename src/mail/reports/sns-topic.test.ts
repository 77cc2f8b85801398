import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snsHostOf } from './sns-topic.ts'

const arn = (partition: string, region: string) => `arn:${partition}:sns:${region}:123456789012:reports`

for (const [partition, region, host] of [
  ['aws', 'us-east-1', 'sns.us-east-1.amazonaws.com'],
  ['aws', 'ap-southeast-5', 'sns.ap-southeast-5.amazonaws.com'],
  ['aws', 'mx-central-1', 'sns.mx-central-1.amazonaws.com'],
  ['aws-us-gov', 'us-gov-west-1', 'sns.us-gov-west-1.amazonaws.com'],
  ['aws-cn', 'cn-north-1', 'sns.cn-north-1.amazonaws.com.cn'],
  ['aws-eusc', 'eusc-de-east-1', 'sns.eusc-de-east-1.amazonaws.eu'],
] as const) {
  test(`the topics of ${region} are at ${host}`, () => {
    assert.equal(snsHostOf(arn(partition, region)), host)
  })
}

test('what names a bucket or nothing at all is no region', () => {
  for (const region of [
    's3-us-west-2',
    's3',
    's3-website',
    's3-website-us-east-1',
    's3.us-east-1',
    'us-east',
    'us-1',
  ]) {
    assert.equal(snsHostOf(arn('aws', region)), undefined, region)
  }
  for (const region of ['us-west-2.s3', 'US-EAST-1', 'us-east-1 ', '', 'us-gov-west-1', 'cn-north-1', 'us-east-100']) {
    assert.equal(snsHostOf(arn('aws', region)), undefined, region)
  }
  for (const [partition, region] of [
    ['aws-cn', 'us-east-1'],
    ['aws-us-gov', 'us-east-1'],
    ['constructor', 'us-east-1'],
  ] as const) {
    assert.equal(snsHostOf(arn(partition, region)), undefined, partition)
  }
})

test('what is no topic has no host', () => {
  for (const text of [
    '',
    'arn:aws:sns:us-east-1:123456789012',
    'arn:aws:sns:us-east-1:12345678901:reports',
    'arn:aws:sns:us-east-1:123456789012:a:b',
    'arn:aws:sqs:us-east-1:123456789012:reports',
    `${arn('aws', 'us-east-1')}\n`,
    ` ${arn('aws', 'us-east-1')}`,
  ]) {
    assert.equal(snsHostOf(text), undefined, text)
  }
})
