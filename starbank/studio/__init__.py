"""The page: find, star, judge and compare in a browser on this machine, `starbank studio`.

It stands beside the command line and decides nothing: what it shows is what the rooms below answer. Answers are pieces
of HTML, each with an `id`, which take the places of those on the page (`static/page.js`); what a page shows is said by
the fields of its form, which go into its address, so that a link restores it. Text of treebanks is never markup: all
goes through Jinja's escaping, but for the pictures of `starbank.treebanks.draw`, which escapes by itself.
"""
