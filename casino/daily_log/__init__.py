"""The daily log of surveillance: its entries, the hand-over of a shift, and cameras that are down."""
