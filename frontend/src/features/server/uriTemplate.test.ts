import { describe, expect, it } from 'vitest'
import { expandTemplate, templateVariables } from './uriTemplate'

const values = {
  var: 'value',
  hello: 'Hello World!',
  path: '/foo/bar',
  x: '1024',
  y: '768',
  empty: '',
  who: 'fred',
  half: '50%',
  é: 'ignored',
}

describe('expandTemplate', () => {
  // The examples of RFC 6570 sections 1.2 and 3.2 for text values.
  it.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{+var}', 'value'],
    ['{+hello}', 'Hello%20World!'],
    ['{+path}/here', '/foo/bar/here'],
    ['here?ref={+path}', 'here?ref=/foo/bar'],
    ['X{#var}', 'X#value'],
    ['X{#hello}', 'X#Hello%20World!'],
    ['map?{x,y}', 'map?1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['{+x,hello,y}', '1024,Hello%20World!,768'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y,empty}', ';x=1024;y=768;empty'],
    ['{?x,y,empty}', '?x=1024&y=768&empty='],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{var:3}', 'val'],
    ['{+path:6}here', '/foo/bhere'],
    ['{?var:3}', '?var=val'],
    ['{half}', '50%25'],
    ['{+half}', '50%25'],
    ['{undef}O{x,undef}', 'O1024'],
    ['{?undef}', ''],
    ['{who*}', 'fred'],
    ['compta://exports/{x}', 'compta://exports/1024'],
    ['é {x}', '%C3%A9%201024'],
    ['100%25', '100%25'],
  ])('%s is %s', (template, want) => {
    expect(expandTemplate(template, values)).toBe(want)
  })

  it('does not find names on Object.prototype', () => {
    expect(expandTemplate('{constructor}', {})).toBe('')
  })
})

describe('templateVariables', () => {
  it.each([
    ['file:///{path}', ['path']],
    ['a/{x}/{?x,y}', ['x', 'y']],
    ['plain', []],
    ['{+path:6}{list*}', ['path', 'list']],
    ['{unclosed', undefined],
    ['closed}', undefined],
    ['{}', undefined],
    ['{a b}', undefined],
    ['{=x}', undefined],
    ['{x:0}', undefined],
    ['{{x}}', undefined],
  ])('%s has %j', (template, want) => {
    expect(templateVariables(template)).toEqual(want)
  })
})
