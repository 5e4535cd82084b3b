"""Tests of Catwalk's pages in a real browser, as an officer uses them."""
