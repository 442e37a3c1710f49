// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @notice Refuses a nested call into any guarded function of the same contract.
abstract contract ReentrancyLock {
    error ReentrantCall();

    bool private _entered;

    modifier nonReentrant() {
        _enter();
        _;
        _entered = false;
    }

    function _enter() private {
        if (_entered) revert ReentrantCall();
        _entered = true;
    }
}
